#pragma once
/// The projection of FAVOR+ (Choromanski et al. 2021, arXiv:2009.14794, §2.4): rows in blocks of D, each block Gaussian,
/// orthogonalized (twice, in double), each row scaled to the norm of an independent Gaussian vector of D; the last block is
/// cut.
///   E[exp(w·q - |q|²/2) exp(w·k - |k|²/2)] = exp(q·k)
/// Shapes: projection [features, width].   Errors: Status::Shape (width 0), Status::Memory.
/// Generator: stream Favor, counter (row, ⌊d/4⌋, 0), normal d mod 4; norms (row, ⌊d/4⌋, 1).

#include <cstddef>
#include <cstdint>

#include "core/random.hpp"
#include "core/status.hpp"
#include "core/workspace.hpp"

namespace fovea {

[[nodiscard]] std::uint64_t favor_workspace_bytes(std::size_t width) noexcept;

[[nodiscard]] Status favor_projection(std::size_t features, std::size_t width, Seed seed, float* projection,
                                      Workspace workspace) noexcept;

}  // namespace fovea
