/// The keys of a leaf are those that its definition allows, at every position.

#include "attention/pattern/leaves.hpp"

#include "reference/pattern.hpp"

namespace fovea::test {
namespace {

/// The keys of a row, from memory of exactly the promised room.
testing::AssertionResult is_as_defined(const Program& program, const PatternRow& row) {
  std::vector<Interval> memory(IntervalSet::max_intervals(row.keys));
  std::vector<std::uint32_t> scratch(row.keys);
  IntervalSet intervals(memory.data());
  leaf_keys(PatternNode(program.data()), row, intervals, scratch.data());
  std::vector<bool> has(row.keys);
  for (const Interval& interval : intervals) {
    if (interval.from >= interval.to || interval.to > row.keys)
      return testing::AssertionFailure() << interval.from << " to " << interval.to;
    if (&interval != intervals.begin() && (&interval)[-1].to >= interval.from)
      return testing::AssertionFailure() << "intervals that touch";
    for (std::size_t j = interval.from; j < interval.to; ++j) has[j] = true;
  }
  for (std::size_t j = 0; j < row.keys; ++j) {
    const bool asked = row.range.from <= j && j < row.range.to;
    if (has[j] == (asked && allows(program, row.p, static_cast<std::int64_t>(j), row.batch, row.head, row.keys))) continue;
    return testing::AssertionFailure() << "key " << j << (has[j] ? " is" : " is not") << " there";
  }
  return testing::AssertionSuccess();
}

}  // namespace

TEST(PatternLeaves, TheKeysOfEveryKindOfLeafAreThoseOfItsDefinition) {
  Random random(11);
  for (const PatternOp op : leaf_ops())
    for (int again = 0; again < 60; ++again) {
      const PatternSizes sizes = {2, 2, random.size(1, 50), random.size(1, 80)};
      const Program program = draw_leaf(op, sizes, random);
      const std::size_t keys = random.chance(0.7) ? sizes.keys : random.size(0, sizes.keys + 30), b = random.size(0, 1);
      for (std::int64_t p = -20; p < static_cast<std::int64_t>(sizes.queries) + 20; ++p) {
        const std::size_t h = random.size(0, 1), from = random.size(0, keys), to = random.size(from, keys);
        ASSERT_TRUE(is_as_defined(program, {p, b, h, keys, {0, keys}}))
            << "op " << static_cast<int>(op) << ", p " << p << ", " << keys << " keys, draw " << again;
        ASSERT_TRUE(is_as_defined(program, {p, b, h, keys, {from, to}}))
            << "op " << static_cast<int>(op) << ", p " << p << ", keys " << from << " to " << to << ", draw " << again;
      }
    }
}

TEST(PatternLeaves, PositionsAtTheEndsOfTheirRangeAreNoExceptions) {
  Random random(12);
  for (const PatternOp op : leaf_ops())
    for (int again = 0; again < 5; ++again) {
      const Program program = draw_leaf(op, {1, 1, 40, 40}, random);
      for (const std::int64_t p : {std::int64_t{INT32_MIN}, std::int64_t{INT32_MIN} + 1, std::int64_t{INT32_MAX} - 1,
                                   std::int64_t{INT32_MAX}, std::int64_t{INT32_MAX} + 1, (std::int64_t{1} << 32) + 3}) {
        ASSERT_TRUE(is_as_defined(program, {p, 0, 0, 40, {0, 40}})) << "op " << static_cast<int>(op) << ", p " << p;
      }
    }
}

TEST(PatternLeaves, OperandsAtTheEndsOfTheirRangeAreNoExceptions) {
  constexpr std::int32_t kMost = INT32_MAX;
  for (const Program& program : {band(kMost, kMost),
                                 band(kMost, 0),
                                 band(0, kMost),
                                 band(-1, -1),
                                 atrous(kMost),
                                 blocks(kMost, 0, 0),
                                 blocks(kMost, kMost, kMost),
                                 blocks(1, kMost, kMost),
                                 segments({kMost}),
                                 segments({0, 0, 7, 0}),
                                 columns(kMost, 0, 1),
                                 columns(kMost, 0, kMost),
                                 columns(kMost, kMost - 1, kMost),
                                 global_tokens({0, kMost - 1}),
                                 global_tokens({}),
                                 random_keys(kMost, kMost, 1),
                                 random_keys(kMost, 1, ~std::uint64_t{0} >> 11),
                                 random_keys(1, kMost, 5),
                                 axial(0, kMost, kMost),
                                 axial(kMost, 1, 1),
                                 axial(kMost, 1, kMost),
                                 neighbors(kMost, 1, kMost, kMost),
                                 neighbors(1, kMost, kMost, kMost),
                                 neighbors(0, 5, 1, 1),
                                 neighbors(5, 0, 1, 1),
                                 lists({1, 1, 0, 9}, {}),
                                 lists({1, 1, 2, kMost}, {{kMost - 1}, {}}),
                                 bits({1, 1, 5, 0}, [](auto...) { return true; }),
                                 bits({1, 1, 40, 64}, [](auto...) { return true; })}) {
    ASSERT_EQ(check_pattern(program.data(), program.size(), 0, 0), Status::Ok);
    for (const std::int64_t p : {std::int64_t{INT32_MIN}, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, std::int64_t{39},
                                 std::int64_t{INT32_MAX} - 1, std::int64_t{INT32_MAX}, std::int64_t{1} << 32}) {
      ASSERT_TRUE(is_as_defined(program, {p, 0, 0, 33, {0, 33}})) << "op " << program[0] << " " << program[2] << ", p " << p;
    }
  }
}

TEST(PatternLeaves, RandomBlocksAreThereInTheNumberThatIsAskedForAndDifferFromHeadToHead) {
  const Program program = random_keys(4, 2, 77);
  std::size_t differ = 0;
  for (std::int64_t p = -7; p < 40; ++p) {
    std::vector<std::int64_t> of_head[2];
    for (std::size_t h = 0; h < 2; ++h)
      for (std::int64_t j = 0; j < 64; ++j) {
        if (allows(program, p, j, 0, h, 64)) of_head[h].push_back(j);
      }
    ASSERT_EQ(of_head[0].size(), 8u);
    differ += of_head[0] != of_head[1];
  }
  EXPECT_GT(differ, 40u);
}

TEST(PatternLeaves, RandomBlocksAreThoseDrawnWhetherTheyAreKeptAsBitsOrAsAList) {
  // A draw is worth 16 words of bits: of 1024 blocks two draws are kept as bits, of 1025 as a list.
  for (const std::size_t keys : {1000u, 1024u, 1025u, 1600u, 3000u})
    for (const std::int32_t per_query : {1, 2, 3, 4, 7})
      for (std::int64_t p = 0; p < 5; ++p) {
        const Program program = random_keys(per_query, 1, 40 + static_cast<std::uint64_t>(p));
        ASSERT_TRUE(is_as_defined(program, {p, 0, 1, keys, {0, keys}})) << per_query << " of " << keys << " keys, p " << p;
        ASSERT_TRUE(is_as_defined(program, {p, 0, 0, keys, {keys / 3, keys / 2}})) << per_query << " of " << keys;
      }
}

TEST(PatternLeaves, ListsWithoutGapsAreCutToTheRange) {
  const Program of_lists = lists({1, 1, 3, 20}, {{4, 5, 6, 7}, {9}, {0, 1, 3}}), global = global_tokens({4, 5, 6, 7});
  for (std::int64_t p = 0; p < 3; ++p)
    for (std::size_t from = 0; from <= 20; ++from)
      for (std::size_t to = from; to <= 20; ++to) {
        ASSERT_TRUE(is_as_defined(of_lists, {p, 0, 0, 20, {from, to}})) << "p " << p << ", keys " << from << " to " << to;
        ASSERT_TRUE(is_as_defined(global, {p, 0, 0, 20, {from, to}})) << "p " << p << ", keys " << from << " to " << to;
      }
}

}  // namespace fovea::test
