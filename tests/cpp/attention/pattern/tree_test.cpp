/// A tree's keys are those of its definition, and its parts share them out.

#include "attention/pattern/tree.hpp"

#include "reference/pattern.hpp"
#include "support/scratch.hpp"

namespace fovea::test {
namespace {

struct Tree {
  Tree(const Program& program, const PatternSizes& sizes, std::size_t b, std::size_t h)
      : scratch(count_bytes([&](Workspace& counting) {
                  PatternTree(PatternNode(program.data()), b, h, sizes.queries, sizes.keys, counting);
                }),
                0, kPoison),
        workspace(scratch.workspace()),
        tree(PatternNode(program.data()), b, h, sizes.queries, sizes.keys, workspace) {}

  Scratch scratch;
  Workspace workspace;
  PatternTree tree;
};

std::vector<std::uint8_t> marked(const IntervalSet& intervals, std::size_t keys) {
  std::vector<std::uint8_t> has(keys);
  for (const Interval& interval : intervals)
    for (std::size_t j = interval.from; j < interval.to; ++j) has[j] = 1;
  return has;
}

/// Keys, parts and classes of one tree, at all positions in and around it.
void check(const Program& program, const PatternSizes& sizes, std::size_t b, std::size_t h) {
  Tree one(program, sizes, b, h);
  PatternTree& tree = one.tree;
  ASSERT_GE(tree.parts(), 1u);
  ASSERT_LE(tree.parts(), PatternTree::kMostOrders);
  // By class of each part that is said to be uniform, the keys that its first row had.
  std::vector<std::vector<std::vector<std::uint8_t>>> uniform(tree.parts());
  for (std::size_t part = 0; part < tree.parts(); ++part) uniform[part].resize(tree.order(part).classes());
  for (std::int64_t p = -9; p < static_cast<std::int64_t>(sizes.queries) + 9; ++p) {
    const KeyRange all = {0, sizes.keys}, middle = {sizes.keys / 3, sizes.keys - sizes.keys / 4};
    const std::vector<std::uint8_t> whole = marked(tree.keys_of(p, all), sizes.keys);
    std::vector<std::uint8_t> asked = whole;
    for (std::size_t j = 0; j < sizes.keys; ++j) asked[j] = middle.from <= j && j < middle.to ? whole[j] : 0;
    ASSERT_EQ(marked(tree.keys_of(p, middle), sizes.keys), asked) << "p " << p;
    for (std::size_t j = 0; j < sizes.keys; ++j) {
      ASSERT_EQ(whole[j] != 0, allows(program, p, static_cast<std::int64_t>(j), b, h, sizes.keys))
          << "p " << p << ", key " << j;
    }
    std::vector<std::uint8_t> sum(sizes.keys);
    for (std::size_t part = 0; part < tree.parts(); ++part) {
      const std::vector<std::uint8_t> fresh = marked(tree.new_keys_of(p, all, part), sizes.keys);
      for (std::size_t j = 0; j < sizes.keys; ++j) sum[j] = static_cast<std::uint8_t>(sum[j] + fresh[j]);
      const std::size_t of = tree.order(part).class_of(tree.row(p));
      ASSERT_LE(of, uniform[part].size());
      if (!tree.is_uniform(part) || of == uniform[part].size()) continue;
      std::vector<std::uint8_t>& first = uniform[part][of];
      if (first.empty()) first = fresh;
      ASSERT_EQ(first, fresh) << "part " << part << " is uniform, p " << p << ", class " << of;
    }
    ASSERT_EQ(sum, whole) << "p " << p;
  }
  ASSERT_TRUE(one.scratch.guard_intact());
}

}  // namespace

TEST(PatternTree, TheKeysOfARandomTreeAreThoseOfItsDefinitionAndEachIsInOnePart) {
  Random random(21);
  for (int again = 0; again < 500; ++again) {
    const PatternSizes sizes = {2, 2, random.size(1, 90), random.size(0, 90)};
    const Program program = draw_pattern(sizes, random, 4);
    check(program, sizes, random.size(0, 1), random.size(0, 1));
    ASSERT_FALSE(HasFatalFailure()) << "tree " << again;
  }
}

TEST(PatternTree, UnionsOfPartsOfDifferentOrdersAreSplitHoweverTheyAreNested) {
  const PatternSizes sizes = {1, 1, 120, 110};
  const Program a = atrous(4), b = axial(120, 10, 6), c = band(9, 2);
  std::vector<std::int32_t> of_rows, of_columns;
  for (int n = 0; n < 120; ++n) of_rows.push_back(n * 7 % 5);
  for (int n = 0; n < 110; ++n) of_columns.push_back(n % 5);
  const Program d = buckets({1, 1, 120, 110}, 5, of_rows, of_columns);
  const std::vector<std::pair<Program, std::size_t>> trees = {
      {or_({a, c}), 2},
      {or_({c, a, b, d}), 4},
      {or_({c, or_({a, or_({b, d})})}), 4},
      {and_({or_({a, c}), band(50, 50)}), 2},
      {and_({or_({a, b, c}), or_({a, d}), columns(3, 0, 2)}), 3},
      {and_({d, or_({a, c})}), 1},
      {or_({and_({or_({a, c}), not_(b)}), d}), 3},
      {not_(or_({a, b, c})), 1},
      {or_({not_(a), b}), 2},
      {or_({a, a, atrous(4), atrous(8)}), 2},
      {heads({or_({a, b})}), 2},
      {and_({a, not_(atrous(2))}), 1},
      {and_({a, all(), columns(5, 1, 3)}), 1},
  };
  for (const auto& [program, parts] : trees) {
    EXPECT_EQ(Tree(program, sizes, 0, 0).tree.parts(), parts);
    check(program, sizes, 0, 0);
    ASSERT_FALSE(HasFatalFailure()) << "tree " << &program - &trees[0].first;
  }
}

TEST(PatternTree, TheWorkedExampleOfTheHeaderIsTrue) {
  const Program program = and_({or_({atrous(4), band(2, 0)}), band(-1, 0)});
  Tree one(program, {1, 1, 60, 60}, 0, 0);
  PatternTree& tree = one.tree;
  const auto keys = [](const IntervalSet& intervals) {
    std::vector<std::uint32_t> list;
    for (const Interval& interval : intervals)
      for (std::uint32_t key = interval.from; key < interval.to; ++key) list.push_back(key);
    return list;
  };
  ASSERT_EQ(tree.parts(), 2u);
  EXPECT_EQ(tree.order(0).kind, QueryOrder::Kind::Residue);
  EXPECT_EQ(tree.order(1).kind, QueryOrder::Kind::Natural);
  EXPECT_EQ(keys(tree.keys_of(9, {0, 60})), (std::vector<std::uint32_t>{1, 5, 7, 8, 9}));
  EXPECT_EQ(keys(tree.new_keys_of(9, {0, 60}, 0)), (std::vector<std::uint32_t>{1, 5, 9}));
  EXPECT_EQ(keys(tree.new_keys_of(9, {0, 60}, 1)), (std::vector<std::uint32_t>{7, 8}));
}

TEST(PatternTree, QueriesOfOneResidueLineOrBucketShareTheirKeysAndOthersDoNot) {
  const PatternSizes sizes = {1, 1, 120, 110};
  const auto is_uniform = [&](const Program& program) { return Tree(program, sizes, 0, 0).tree.is_uniform(0); };
  for (const Program& program : {all(), columns(3, 1, 2), atrous(4), axial(120, 10, 6), or_({all(), columns(3, 0, 1)}),
                                 and_({atrous(4), not_(atrous(2))}), and_({axial(120, 10, 6), columns(5, 0, 2)})}) {
    EXPECT_TRUE(is_uniform(program));
    check(program, sizes, 0, 0);
  }
  for (const Program& program :
       {band(3, 3), blocks(8, 0, 0), axial(120, 10, 1), axial(120, 2, 60), and_({atrous(4), band(3, 3)}), atrous(40),
        and_({axial(120, 10, 1), all()}), and_({atrous(4), axial(120, 10, 1)}), random_keys(2, 1, 1), global_tokens({3})}) {
    EXPECT_FALSE(is_uniform(program));
    check(program, sizes, 0, 0);
  }
}

TEST(PatternTree, WhereOrdersFindNoRoomTheNaturalOneServes) {
  std::vector<Program> nodes;
  for (std::int32_t k = 2; k < 18; ++k) nodes.push_back(atrous(k));
  const PatternSizes sizes = {1, 1, 130, 97};
  EXPECT_EQ(Tree(or_(nodes), sizes, 0, 0).tree.parts(), PatternTree::kMostOrders);
  check(or_(nodes), sizes, 0, 0);
  nodes.insert(nodes.begin(), band(2, 2));
  check(and_({or_(nodes), not_(columns(7, 0, 2))}), sizes, 0, 0);
}

}  // namespace fovea::test
