#pragma once
/// Compiles a pattern and the positional mask to a plan (plan.hpp), for one batch entry and query head.
///   Each part of the pattern (tree.hpp) is a pass: its queries are put into blocks in the order that it prefers.
/// Errors: Status::Value (not a pattern), Status::Memory (workspace or sink).   Workspace: compile_workspace_bytes(), some 25
///   words per key and 2 per query.   Time and words: linear in queries, keys, and intervals of kept pairs.

#include <cstddef>
#include <cstdint>

#include "attention/pattern/program.hpp"
#include "attention/problem/position_rules.hpp"
#include "core/status.hpp"
#include "core/view.hpp"
#include "core/word_sink.hpp"
#include "core/workspace.hpp"

namespace fovea {

struct PatternArgs {
  const std::int32_t* program = nullptr;
  std::size_t program_words = 0;
  std::size_t queries = 0;
  std::size_t batch = 0, head = 0;  // in the whole call
  PositionRules rules;
  bool edges = false;  // whether the plan numbers the pairs of graphs, for EdgeBiases
};

/// 0 for a program that check_pattern refuses.
[[nodiscard]] std::uint64_t compile_workspace_bytes(const PatternArgs& args) noexcept;

[[nodiscard]] Status compile_pattern(const PatternArgs& args, WordSink& sink, Workspace workspace) noexcept;

}  // namespace fovea
