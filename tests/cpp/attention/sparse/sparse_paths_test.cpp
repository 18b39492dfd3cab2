/// Each way that pairs are computed, forced, and seen to be taken.

#include "support/sparse.hpp"

namespace fovea::test {
namespace {

PlanCounts counts_for(const Problem& problem, const Program& program) {
  return counts_of(SparseCall(problem, program).plans()[0]);
}

Problem plain(std::size_t queries, std::size_t keys, std::uint64_t seed) {
  return Problem({1, 1, 1, queries, keys, 16, 9}, seed);
}

/// Every option that is added to a score, and masks.
Problem busy(std::size_t queries, std::size_t keys, std::uint64_t seed) {
  Problem problem({1, 1, 1, queries, keys, 16, 9}, seed, kGaps);
  Random random(seed);
  problem.softcap = 8;
  problem.slopes = {0.05f};
  problem.sinks = {0.5f};
  problem.bool_mask = PairsMask<std::uint8_t>(1, 1, queries, keys, 0);
  problem.bool_mask.fill([&] { return static_cast<std::uint8_t>(random.chance(0.9)); });
  problem.float_mask = PairsMask<float>(1, 1, queries, keys, 0);
  problem.float_mask.fill([&] { return random.chance(0.05) ? -kInfinity : random.normal(); });
  return problem;
}

void agrees_plain_and_busy(std::size_t queries, std::size_t keys, const Program& program) {
  ASSERT_TRUE(agrees(plain(queries, keys, 51), program));
  ASSERT_TRUE(agrees(busy(queries, keys, 52), program));
}

/// Few keys of each row, no two rows alike.
Program scattered(std::size_t queries, std::size_t keys, std::size_t each, bool biased, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<std::int32_t>> list(queries);
  std::vector<float> bias;
  for (auto& row : list) {
    for (std::size_t n = 0; n < each; ++n) row.push_back(static_cast<std::int32_t>(random.size(0, keys - 1)));
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    for (std::size_t n = 0; biased && n < row.size(); ++n) bias.push_back(random.normal());
  }
  return lists({1, 1, queries, keys}, list, bias);
}

/// The program's lists as the edges of a graph.
Program as_graph(Program program) {
  program[7] = static_cast<std::int32_t>(CsrKind::Graph);
  return program;
}

/// Values of the edges of `graph`: of each batch entry and head, of each head, or one for all.
void set_edges(Problem& problem, const Program& graph, bool per_batch, bool per_head, std::uint64_t seed) {
  Random random(seed);
  const auto count = static_cast<std::size_t>(graph[6]), heads = per_head ? problem.sizes.heads : 1;
  std::vector<float> values((per_batch ? problem.sizes.batch : 1) * heads * count);
  for (float& value : values) value = random.normal();
  values.push_back(kHuge);
  problem.variant.edge_biases = {problem.hold(std::move(values)), per_batch ? static_cast<std::ptrdiff_t>(heads * count) : 0,
                                 per_head ? static_cast<std::ptrdiff_t>(count) : 0};
}

}  // namespace

TEST(SparsePaths, FullTiles) {
  const PlanCounts counts = counts_for(plain(96, 128, 1), all());
  EXPECT_GT(counts.full_entries, 0u);
  EXPECT_EQ(counts.partial_entries + counts.edges + counts.gathered_tiles, 0u);
  agrees_plain_and_busy(96, 128, all());
  agrees_plain_and_busy(97, 128, all());
}

TEST(SparsePaths, PartialTilesThatAreAligned) {
  const PlanCounts counts = counts_for(plain(130, 200, 1), band(40, 40));
  EXPECT_GT(counts.partial_entries, 0u);
  EXPECT_EQ(counts.gathered_tiles, 0u);
  agrees_plain_and_busy(130, 200, band(40, 40));
}

TEST(SparsePaths, TilesOfKeysThatAreGathered) {
  const Program program = columns(16, 3, 5);
  const PlanCounts counts = counts_for(plain(130, 300, 1), program);
  EXPECT_GT(counts.gathered_tiles, 0u);
  EXPECT_EQ(counts.gathered_tiles, counts.tiles);
  agrees_plain_and_busy(130, 300, program);
}

TEST(SparsePaths, EdgesAlone) {
  const Program program = scattered(130, 300, 3, false, 1);
  const PlanCounts counts = counts_for(plain(130, 300, 1), program);
  EXPECT_GT(counts.edges, 300u);
  EXPECT_EQ(counts.tiles, 0u);
  agrees_plain_and_busy(130, 300, program);
}

TEST(SparsePaths, MoreEdgesOfARowThanATileHolds) {
  std::vector<std::vector<std::int32_t>> list(40);
  for (std::int32_t j = 0; j < 300; j += 2) list[17].push_back(j);
  const Program program = lists({1, 1, 40, 300}, list);
  const PlanCounts counts = counts_for(plain(40, 300, 1), program);
  EXPECT_EQ(counts.edges, 150u);
  agrees_plain_and_busy(40, 300, program);
}

TEST(SparsePaths, TilesAndEdgesOfTheSameRows) {
  const Program program = or_({band(30, 30), scattered(130, 300, 4, false, 2)});
  const PlanCounts counts = counts_for(plain(130, 300, 1), program);
  EXPECT_GT(counts.edges, 100u);
  EXPECT_GT(counts.tiles, 0u);
  agrees_plain_and_busy(130, 300, program);
}

TEST(SparsePaths, SeveralPassesOverQueriesInAnotherOrder) {
  const Program program = or_({band(5, 5), atrous(8), axial(130, 13, 10)});
  const PlanCounts counts = counts_for(plain(130, 150, 1), program);
  EXPECT_EQ(counts.passes, 3u);
  EXPECT_GT(counts.listed_units, 0u);
  agrees_plain_and_busy(130, 150, program);
}

TEST(SparsePaths, PassesThatSomeHeadsHaveAndOthersNot) {
  Problem problem({2, 3, 1, 130, 150, 16, 9}, 3);
  problem.causal = true;
  EXPECT_TRUE(agrees(problem, heads({band(9, 0), or_({band(5, 5), atrous(8), atrous(6)}), atrous(4)})));
}

TEST(SparsePaths, BlocksOfAsManyQueriesAsThereIsRoomFor) {
  Problem problem({1, 1, 1, 2200, 40, 4, 5}, 9);
  problem.slopes = {0.1f};
  for (const Program& program :
       {band(10, 2150), or_({all(), random_keys(2, 1, 1)}), or_({columns(5, 0, 2), atrous(3)}), random_keys(1, 1, 2)}) {
    ASSERT_TRUE(agrees(problem, program));
  }
}

TEST(SparsePaths, MoreOrdersThanThereIsRoomFor) {
  std::vector<Program> nodes = {band(1, 1)};
  for (std::int32_t k = 2; k < 18; ++k) nodes.push_back(atrous(k));
  EXPECT_EQ(counts_for(plain(130, 150, 1), or_(nodes)).passes, 12u);
  agrees_plain_and_busy(130, 150, or_(nodes));
}

TEST(SparsePaths, ClassesOfQueriesThatShareTheirKeys) {
  Random random(4);
  std::vector<std::int32_t> of_rows(130), of_columns(150);
  for (auto& bucket : of_rows) bucket = static_cast<std::int32_t>(random.integer(0, 4));
  for (auto& bucket : of_columns) bucket = static_cast<std::int32_t>(random.integer(0, 4));
  for (const Program& program : {atrous(8), axial(130, 13, 10), axial(130, 13, 1), columns(7, 2, 5),
                                 buckets({1, 1, 130, 150}, 5, of_rows, of_columns), and_({atrous(6), columns(4, 0, 3)})}) {
    agrees_plain_and_busy(130, 150, program);
    // Queries before and behind the tables, which have no keys there.
    Problem shifted = plain(130, 150, 53);
    shifted.offsets = {-7};
    ASSERT_TRUE(agrees(shifted, program));
    shifted.offsets = {60};
    ASSERT_TRUE(agrees(shifted, program));
  }
}

TEST(SparsePaths, ABiasOfListedPairsIsAddedInTilesAndToEdges) {
  const Program few = scattered(130, 200, 3, true, 5), many = scattered(130, 200, 150, true, 6);
  EXPECT_EQ(counts_for(plain(130, 200, 1), few).tiles, 0u);
  EXPECT_GT(counts_for(plain(130, 200, 1), many).partial_entries, 0u);
  for (const Program& program :
       {few, many, or_({few, many}), or_({many, band(5, 5), atrous(8)}), and_({many, columns(9, 0, 2)})}) {
    agrees_plain_and_busy(130, 200, program);
  }
}

TEST(SparsePaths, ValuesOfEdgesAreAddedInTilesAndToEdges) {
  for (const std::size_t each : {3u, 150u}) {
    const Program graph = as_graph(scattered(70, 200, each, false, 7 + each));
    for (const Program& program :
         {graph, or_({graph, band(0, 0)}), or_({band(5, 5), graph, atrous(8)}), and_({graph, columns(9, 0, 2)}),
          heads({graph, band(3, 3), or_({graph, scattered(70, 200, 2, true, 4)}), all()})}) {
      for (const int shared : {0, 1, 2}) {
        Problem problem({2, 4, 2, 70, 200, 16, 9}, 55, kGaps);
        problem.causal = each == 150;
        if (problem.causal) problem.offsets = {0, 130};
        set_edges(problem, graph, shared == 0, shared <= 1, 8);
        ASSERT_TRUE(agrees(problem, program)) << each << " edges a query, shared " << shared;
      }
    }
    Problem problem = busy(70, 200, 56);
    problem.offsets = {-9};
    set_edges(problem, graph, false, false, 9);
    ASSERT_TRUE(agrees(problem, graph));
  }
}

TEST(SparsePaths, ValuesThatArePermutedAreFoundOut) {
  const Program graph = as_graph(scattered(40, 60, 5, false, 11));
  Problem problem = plain(40, 60, 57), other = problem;
  set_edges(problem, graph, false, false, 12);
  set_edges(other, graph, false, false, 13);
  SparseCall call(problem, graph);
  EXPECT_TRUE(agrees(run(call.args()), with_pattern_as_masks(problem, graph).oracle()));
  EXPECT_FALSE(agrees(run(call.args()), with_pattern_as_masks(other, graph).oracle()));
}

TEST(SparsePaths, AGraphWithoutValuesAddsNothing) {
  const Program graph = as_graph(scattered(40, 60, 5, false, 11));
  ASSERT_TRUE(agrees(plain(40, 60, 58), graph));
  // A plan that numbers its edges, and a call that has no values for them.
  Problem problem = plain(40, 60, 58);
  set_edges(problem, graph, false, false, 12);
  SparseCall call(problem, graph);
  AttentionArgs args = call.args();
  args.variant.edge_biases = {};
  EXPECT_TRUE(same_bits(run(args), run(SparseCall(plain(40, 60, 58), graph).args())));
}

TEST(SparsePaths, ABiasMayForbidAPairAndANanOfItMakesItsRowNan) {
  std::vector<std::vector<std::int32_t>> list(9);
  std::vector<float> bias;
  for (std::int32_t i = 0; i < 9; ++i) {
    list[static_cast<std::size_t>(i)] = {i, i + 9, i + 20};
    bias.insert(bias.end(), {0.5f, i == 3 ? kNan : -kInfinity, i == 5 ? -kInfinity : 1.0f});
  }
  EXPECT_TRUE(agrees(plain(9, 40, 7), lists({1, 1, 9, 40}, list, bias)));
}

TEST(SparsePaths, DenseAttentionHasSparseWeightsOfFewQueriesAndOfMany) {
  for (const std::size_t queries : {1u, 3u, 8u, 9u, 130u})
    for (const std::size_t keys : {1u, 63u, 300u, 1100u}) {
      Problem problem = busy(queries, keys, 54 + queries);
      problem.causal = true;
      problem.offsets = {static_cast<std::int32_t>(keys / 2)};
      const Pairs pairs = pairs_of(problem, all());
      std::vector<float> values(pairs.indices.size() + 1, kPoison);
      const Outcome without = run(problem.args());
      AttentionArgs args = problem.args();
      args.sparse_weights = {pairs.indptr.data(), pairs.indices.data(), values.data()};
      ASSERT_TRUE(same_bits(run(args), without));
      ASSERT_TRUE(is_poison(values.back()));
      for (std::size_t row = 0; row < queries; ++row) {
        for (std::int32_t n = pairs.indptr[row]; n < pairs.indptr[row + 1]; ++n) {
          const auto at = static_cast<std::size_t>(n);
          ASSERT_TRUE(same_bits(values[at], without.weights[row * keys + static_cast<std::size_t>(pairs.indices[at])]));
        }
      }
      std::fill(values.begin(), values.end(), kPoison);
      ASSERT_TRUE(same_bits(run(args, Want::Output).output, without.output));
      ASSERT_TRUE(all_of(std::span<const float>(values).first(values.size() - 1), "a weight", [](float w) { return w >= 0; }));
    }
}

TEST(SparsePaths, EmptyExtentsAreOk) {
  for (const Sizes& sizes : {Sizes{1, 1, 1, 0, 4, 5, 6}, Sizes{1, 1, 1, 3, 0, 5, 6}, Sizes{1, 1, 1, 30, 40, 5, 0}}) {
    const Problem problem(sizes, 1);
    EXPECT_TRUE(agrees(problem, or_({band(1, 1), atrous(2)})));
  }
}

TEST(SparsePaths, WorkspaceOrStateThatAreMissingAreTold) {
  const Problem problem = plain(130, 150, 8);
  SparseCall call(problem, or_({band(5, 5), atrous(8)}));
  for (const std::size_t short_by : {1u, 100u, 1u << 30}) {
    const Outcome outcome = run(call.args(), Want::All, {}, short_by);
    EXPECT_EQ(outcome.status, Status::Memory);
    EXPECT_TRUE(outcome.memory);
    EXPECT_TRUE(all_poison(outcome.output));
    EXPECT_EQ(run_logits(call.args(), LogitStage::Biased, short_by).status, Status::Memory);
  }
  AttentionArgs args = call.args();
  args.state = nullptr;
  EXPECT_EQ(run(args).status, Status::Memory);
  EXPECT_EQ(run_logits(args, LogitStage::Biased).status, Status::Ok);
}

}  // namespace fovea::test
