/// check_pattern passes programs alone: nothing that it passes reads or writes outside of its memory.

#include "attention/pattern/program.hpp"

#include "support/sparse.hpp"

namespace fovea::test {
namespace {

Status check(const Program& program, std::size_t batch = 0, std::size_t head = 0) {
  return check_pattern(program.data(), program.size(), batch, head);
}

std::int32_t nearby(std::int32_t word, Random& random) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(word) + static_cast<std::uint32_t>(random.integer(-2, 2)));
}

}  // namespace

TEST(PatternProgram, EveryDrawnProgramIsOne) {
  Random random(1);
  for (int again = 0; again < 500; ++again) {
    const PatternSizes sizes = {random.size(1, 3), random.size(1, 3), random.size(1, 60), random.size(1, 80)};
    const Program program = draw_pattern(sizes, random);
    for (std::size_t b = 0; b < sizes.batch; ++b)
      for (std::size_t h = 0; h < sizes.heads; ++h) ASSERT_EQ(check(program, b, h), Status::Ok);
  }
}

TEST(PatternProgram, AProgramWithChangedWordsIsRefusedOrComputedWithinItsMemory) {
  Random random(2);
  std::size_t passed = 0, refused = 0;
  const std::vector<std::int32_t> loud = {-1, 0,  1,  2,  3,     7,         16,        17,
                                          31, 32, 33, 64, 65536, INT32_MAX, INT32_MIN, INT32_MAX - 1};
  for (int again = 0; again < 6000; ++again) {
    const PatternSizes sizes = {2, 2, random.size(1, 30), random.size(1, 40)};
    Program program = again % 2 == 0
                          ? draw_leaf(leaf_ops()[static_cast<std::size_t>(again / 2) % leaf_ops().size()], sizes, random)
                          : draw_pattern(sizes, random);
    const std::size_t changes = random.size(1, 3);
    for (std::size_t n = 0; n < changes; ++n) {
      const std::size_t at = random.chance(0.5) ? random.size(0, std::min<std::size_t>(program.size() - 1, 9))
                                                : random.size(0, program.size() - 1);
      program[at] = random.chance(0.5) ? random.pick(loud) : nearby(program[at], random);
    }
    if (random.chance(0.1)) program.resize(random.size(0, program.size()));
    program.shrink_to_fit();
    const std::size_t b = random.size(0, 1), h = random.size(0, 1);
    const Status status = check(program, b, h);
    ++(status == Status::Ok ? passed : refused);
    if (status == Status::Ok) {
      evaluate(program, sizes, b, h);
      ASSERT_FALSE(testing::Test::HasFatalFailure()) << "program " << again;
    } else {
      ASSERT_EQ(status, Status::Value);
    }
  }
  EXPECT_GT(passed, 500u);
  EXPECT_GT(refused, 2000u);
}

TEST(PatternProgram, EveryOperandOutOfItsRangeIsRefused) {
  const std::vector<Program> malformed = {
      {},
      {0},
      {0, 1},
      {0, 3, 0},
      {0, 2, 0},
      {17, 2},
      {-1, 2},
      band(-2, 0),
      band(0, -2),
      node(PatternOp::Band, {1}),
      atrous(0),
      atrous(-3),
      blocks(0, 1, 1),
      blocks(4, -2, 1),
      blocks(4, 1, -2),
      node(PatternOp::Segments, {}),
      node(PatternOp::Segments, {0, 0}),
      node(PatternOp::Segments, {1, 1, 4}),
      node(PatternOp::Segments, {2, 0, 4, 3}),
      node(PatternOp::Segments, {2, 0, 4}),
      columns(0, 0, 1),
      columns(4, -1, 1),
      columns(4, 2, 2),
      columns(4, 2, 5),
      global_tokens({3, 3}),
      global_tokens({4, 3}),
      global_tokens({-1, 3}),
      node(PatternOp::Global, {2, 1}),
      random_keys(0, 1, 1),
      random_keys(1, 0, 1),
      axial(10, 3, 2),
      axial(-6, 3, 2),
      axial(6, 0, 2),
      axial(6, 3, 0),
      neighbors(-1, 3, 1, 1),
      neighbors(65536, 65536, 1, 1),
      neighbors(3, 3, -1, 1),
      neighbors(3, 3, 1, -1),
      neighbors(3, 3, 1, 1, -1),
      neighbors(1 << 30, 1, 1, 1, 1 << 30),
      lists({1, 1, 2, 5}, {{0, 1}, {5}}),
      lists({1, 1, 2, 5}, {{1, 0}, {4}}),
      lists({1, 1, 2, 5}, {{1, 1}, {4}}),
      lists({1, 1, 2, 5}, {{-1, 1}, {4}}),
      lists({1, 1, 3, 5}, {{1}, {4}}),
      lists({0, 1, 2, 5}, {}),
      lists({1, 1, 2, 5}, {{1}, {4}}, {1.0f}),
      node(PatternOp::Csr, {1, 1, 1, 5, 1, 0, 1, 1, 3}),
      node(PatternOp::Csr, {1, 1, 1, 5, 1, 0, 0, 0, 3}),
      node(PatternOp::Csr, {1, 1, 2, 5, 1, 0, 0, 2, 1, 3}),
      node(PatternOp::Csr, {1, 1, 1, 5, -1, 0, 0, 0}),
      node(PatternOp::Csr, {1, 1, 1, 5, 1, 2, 0, 1, 3, 0}),
      node(PatternOp::Csr, {1, 1, 1, 5, 1, 3, 0, 1, 3}),
      node(PatternOp::Bitmask, {1, 1, 2, 33, 0, 0, 0}),
      node(PatternOp::Bitmask, {1, 1, 2, -33}),
      buckets({1, 1, 1, 2}, 0, {0}, {0, 0}),
      buckets({1, 1, 1, 2}, 2, {2}, {0, 0}),
      buckets({1, 1, 1, 2}, 2, {-1}, {0, 0}),
      node(PatternOp::Buckets, {1, 1, 1, 2, 1, 0, 0, 2, 1, 0}),
      node(PatternOp::Buckets, {1, 1, 1, 2, 1, 0, 0, 2, 0, 2}),
      node(PatternOp::Buckets, {1, 1, 1, 2, 1, 0, 0, 3, 0, 1}),
      node(PatternOp::Buckets, {1, 1, 1, 2, 1, 0, 1, 2, 0, 1}),
      or_({}),
      and_({}),
      heads({}),
      node(PatternOp::Or, {2, 0, 2}),
      node(PatternOp::Or, {1, 0, 2, 0, 2}),
      node(PatternOp::Not, {}),
      node(PatternOp::Not, {0, 2, 0, 2}),
      or_({all(), atrous(0)}),
  };
  for (std::size_t n = 0; n < malformed.size(); ++n) EXPECT_EQ(check(malformed[n]), Status::Value) << "program " << n;
}

TEST(PatternProgram, TablesAndHeadsAreNeededForTheBatchEntryAndHeadThatAreAsked) {
  const Program two_batches = lists({2, 1, 1, 3}, {{0}, {1}}), two_heads = lists({1, 2, 1, 3}, {{0}, {1}});
  EXPECT_EQ(check(two_batches, 1, 5), Status::Ok);
  EXPECT_EQ(check(two_batches, 2, 0), Status::Value);
  EXPECT_EQ(check(two_heads, 5, 1), Status::Ok);
  EXPECT_EQ(check(two_heads, 0, 2), Status::Value);
  EXPECT_EQ(check(heads({all(), atrous(2)}), 0, 1), Status::Ok);
  EXPECT_EQ(check(heads({all(), atrous(2)}), 0, 2), Status::Value);
}

TEST(PatternProgram, ATreeIsAsDeepAsItIsAllowedAndNotDeeper) {
  const auto nested = [](std::size_t levels, auto wrap) {
    Program program = band(2, 0);
    for (std::size_t n = 1; n < levels; ++n) program = wrap(program);
    return program;
  };
  for (const int kind : {0, 1, 2}) {
    const auto wrap = [kind](const Program& inner) {
      return kind == 0 ? not_(inner) : kind == 1 ? or_({inner, atrous(3)}) : and_({heads({inner}), all()});
    };
    const std::size_t each = kind == 2 ? 2 : 1, levels = (kPatternDepth - 1) / each + 1;
    const Program deep = nested(levels, wrap);
    ASSERT_EQ(check(deep), Status::Ok);
    EXPECT_EQ(pattern_depth(PatternNode(deep.data())), (levels - 1) * each + 1);
    evaluate(deep, {1, 1, 20, 30}, 0, 0);
    EXPECT_EQ(check(nested(levels + 1, wrap)), Status::Value);
  }
}

TEST(PatternProgram, AGridFarBeyondTheKeysCostsNoMoreThanTheKeys) {
  evaluate(axial(1 << 30, 1 << 30, 1), {1, 1, 50, 50}, 0, 0);
  evaluate(neighbors(1 << 30, 1, 1 << 30, 0), {1, 1, 50, 50}, 0, 0);
  evaluate(random_keys(INT32_MAX, 1, 1), {1, 1, 20, 20}, 0, 0);
}

}  // namespace fovea::test
