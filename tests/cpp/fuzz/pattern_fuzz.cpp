/// Patterns: any words as a program, which is refused or stays within its memory, and drawn trees, whose attention is that of
/// a mask that says the same.

#include <cstring>

#include "fuzz/target.hpp"
#include "support/draw.hpp"
#include "support/sparse.hpp"

namespace fovea::test {
namespace {

const DrawnSizes kSizes = {.queries = {1, 3, 5, 17}, .keys = {1, 3, 5, 18, 65, 130}, .widths = {1, 3, 8, 17}};

/// Words of one byte, or of four where the byte before them is 255.
Program program_of(std::span<const std::uint8_t> bytes) {
  Program program;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::int32_t word = static_cast<std::int8_t>(bytes[at]);
    if (bytes[at] == 255 && bytes.size() - at > 4) {
      std::memcpy(&word, bytes.data() + at + 1, 4);
      at += 4;
    }
    program.push_back(word);
  }
  program.shrink_to_fit();
  return program;
}

void check_words(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < 2) return;
  const PatternSizes sizes = {2, 2, std::size_t{1} + bytes[0] % 30, std::size_t{1} + bytes[1] % 70};
  const Program program = program_of(bytes.subspan(2));
  for (std::size_t head = 0; head < 2; ++head) {
    const Status status = check_pattern(program.data(), program.size(), head, head);
    if (status == Status::Ok)
      evaluate(program, sizes, head, head);
    else if (status != Status::Value)
      std::abort();
  }
}

void check_tree(std::span<const std::uint8_t> bytes) {
  Random random(bytes);
  Problem problem = draw_problem(random, kSizes);
  const Sizes& s = problem.sizes;
  if (work_of(s) > kMostWork) return;
  require(agrees(problem, draw_pattern({s.batch, s.heads, s.queries, s.keys}, random)));
}

}  // namespace
}  // namespace fovea::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::span<const std::uint8_t> rest(data + 1, size - 1);
  if (data[0] % 2 == 0)
    fovea::test::check_words(rest);
  else
    fovea::test::check_tree(rest);
  return 0;
}
