#pragma once
/// A failed check ends the process, so that libFuzzer keeps the input that led to it.

#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

#include "support/problem.hpp"
#include "support/random.hpp"

namespace fovea::test {

inline void require(const testing::AssertionResult& holds) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", holds.message());
  std::abort();
}

/// Runs one of the checks, which the input chooses.
inline void run_one_of(const std::vector<void (*)(Random&)>& checks, std::span<const std::uint8_t> input) {
  Random random(input);
  random.pick(checks)(random);
}

/// Multiply-adds of the definition in double: what takes longer is left out, since many small calls find more.
inline double work_of(const Sizes& s) {
  return static_cast<double>(s.batch * s.heads * s.queries) * static_cast<double>(s.keys) *
         static_cast<double>(s.width + s.value_width);
}
inline constexpr double kMostWork = 20000;

}  // namespace fovea::test

/// EXPECT_… inside of what the targets share with the tests ends the process, too.
extern "C" inline int LLVMFuzzerInitialize(int*, char***) {
  testing::GTEST_FLAG(break_on_failure) = true;
  return 0;
}
