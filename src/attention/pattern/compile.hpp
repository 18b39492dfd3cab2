#pragma once
/// Compiles a pattern to a plan (plan.hpp), for one batch entry and query head; rules of place are compiled in.
///   Queries are put into blocks in the order that each part of the pattern wants; of a union whose parts want different
///   orders, each is a pass: A, then B without A, ...
/// Errors: Status::Value (not a pattern), Status::Memory (workspace or sink).   Workspace: pattern_workspace_floats(), some 25
///   words per key and 2 per query.   Time and words: linear in queries, keys, and spans of kept pairs.

#include <cstddef>
#include <cstdint>

#include "attention/pattern/program.hpp"
#include "attention/place.hpp"
#include "core/status.hpp"
#include "core/view.hpp"
#include "core/word_sink.hpp"
#include "core/workspace.hpp"

namespace fovea {

struct PatternArgs {
  const std::int32_t* program = nullptr;
  std::size_t program_words = 0;
  std::size_t queries = 0;
  std::size_t batch = 0, head = 0;  // that the pattern sees
  Place place;
};

/// Of a program that check_pattern passes; 0 for others.
[[nodiscard]] std::size_t compile_workspace_floats(const PatternArgs& args) noexcept;

[[nodiscard]] Status compile_pattern(const PatternArgs& args, WordSink& sink, Workspace workspace) noexcept;

}  // namespace fovea
