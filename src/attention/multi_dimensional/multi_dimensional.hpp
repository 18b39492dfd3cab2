#pragma once
/// Multi-dimensional attention: one softmax over the keys for each feature (Shen et al. 2018, DiSAN).
///   s[i,j,d]   = c tanh((q[i,d] + k[j,d]) / c)                        Bounded   (§4.2, with c = 5)
///   s[i,j,d]   = Σ_e σ(q[i,e] + k[j,e]) W[e,d] + b[d]                 Tanh, Elu (§3.1, general), σ = tanh or elu
///   w[i,j,d]   = exp(s[i,j,d] + mask[i,j]) / Σ_j exp(s[i,j,d] + mask[i,j]) over the allowed j
///   out[i,d]   = Σ_j w[i,j,d] v[j,d]          lse[i,d] = ln Σ_j exp(s[i,j,d] + mask[i,j])
///   q and k are projected already. Allowed: as in attention.hpp, by the positional mask, the mask arrays and the plans, whose
///   bias of a pair is added to all of its features.
/// Shapes: q [B, H, Tq, E]; k [B, Hkv, Tk, E]; v [B, Hkv, Tk, D]; W [E, D]; b [D] or null; output and lse [B, H, Tq, D];
///   weights [B, H, Tq, Tk, D]; weights and lse may be null. Bounded: E = D. Nothing of Tq × Tk × D is stored but the weights that are asked for.
/// Rows: without an allowed key 0, and an lse of -inf. A NaN or +inf score of an allowed pair makes its feature of its row NaN and no other.
/// Errors: Status::Shape, Status::Value, Status::Option (appended keys), Status::Memory.
/// Plans: pairs outside are not computed; of a panel of keys with W that has one, its other pairs are.
/// Workspace: multi_dimensional_workspace_bytes(), independent of Tq and Tk; of plans that go over their rows more than once three
///   floats for each feature of each row.
/// Accuracy: <= 2x the error of the float32 definition + 8 eps (tests/cpp/support/tolerance.hpp).
/// Determinism: a row's bits depend on its own q, its allowed keys and values and the masks; not on threads.
/// Paper: arXiv:1709.04696 §3.1, §4.2.

#include <cstddef>
#include <cstdint>

#include "attention/pattern/plan_units.hpp"
#include "attention/problem/attention_inputs.hpp"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "core/view.hpp"
#include "core/workspace.hpp"

namespace fovea {

enum class FeatureScore : std::uint32_t { Bounded, Tanh, Elu };

struct MultiDimensionalArgs {
  AttentionInputs inputs;  // weights [B, H, Tq, Tk, D]
  FeatureScore score = FeatureScore::Bounded;
  float bound = 5.0f;           // c
  MatrixView<const float> w;    // [E, D]; one of its strides is 1
  const float* bias = nullptr;  // [D]
  float* lse = nullptr;         // [B, H, Tq, D]
  PlanTable plans = nullptr;    // compiled with the positional mask (compile_pattern()); null: all pairs
};

[[nodiscard]] std::uint64_t multi_dimensional_workspace_bytes(const MultiDimensionalArgs& args,
                                                              std::size_t threads = 1) noexcept;

[[nodiscard]] Status multi_dimensional_attention(const MultiDimensionalArgs& args, Workspace workspace,
                                                 ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea
