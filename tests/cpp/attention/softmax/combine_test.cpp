/// Joining what attention gave over disjoint sets of keys.

#include "reference/combine.hpp"
#include "support/problem.hpp"
#include "support/scratch.hpp"

namespace fovea::test {
namespace {

struct Extents {
  std::size_t batch = 1, heads = 1, queries = 1, width = 1;
};

/// The parts of a call, in memory that is loud around them, and their table.
struct Parts {
  Parts(std::size_t count, const Extents& e, std::uint64_t seed, const Arrangement& a = {}) : extents(e), arrangement(a) {
    Random random(seed);
    for (std::size_t p = 0; p < count; ++p) {
      outputs.emplace_back(e.batch, e.heads, e.queries, e.width, kHuge, a.layout, a.padding).fill([&] {
        return random.normal();
      });
      lses.emplace_back(e.batch, e.heads, e.queries, 1, kHuge, Layout::Bhtd, a.padding).fill([&] {
        return 3 * random.normal();
      });
    }
  }

  CombineArgs args() {
    table.clear();
    for (std::size_t p = 0; p < outputs.size(); ++p)
      table.push_back({std::as_const(outputs[p]).view(), std::as_const(lses[p]).view()});
    CombineArgs args;
    args.batch = extents.batch;
    args.heads = extents.heads;
    args.queries = extents.queries;
    args.value_width = extents.width;
    args.parts = table.data();
    args.count = table.size();
    args.sinks = sinks.empty() ? nullptr : sinks.data();
    return args;
  }

  /// The part had no key for this row.
  void empty(std::size_t part, std::size_t b, std::size_t h, std::size_t i, float output = kNan) {
    lses[part].at(b, h, i, 0) = -kInfinity;
    for (std::size_t d = 0; d < extents.width; ++d) outputs[part].at(b, h, i, d) = output;
  }

  Extents extents;
  Arrangement arrangement;
  std::vector<Slab<float>> outputs, lses;
  std::vector<float> sinks;
  std::vector<CombinePart> table;
};

Outcome run(const CombineArgs& given, const Arrangement& arrangement = {}, std::size_t short_by = 0) {
  CombineArgs args = given;
  Slab<float> output(args.batch, args.heads, args.queries, args.value_width, kPoison, arrangement.layout, arrangement.padding);
  Slab<float> lse(args.batch, args.heads, args.queries, 1, kPoison);
  args.output = output.view();
  args.lse = lse.data();
  Scratch scratch(combine_workspace_bytes(args), short_by, kPoison);
  Outcome outcome;
  outcome.status = combine(args, scratch.workspace());
  outcome.output = output.elements();
  outcome.lse = lse.elements();
  outcome.memory = output.filler_intact();
  if (outcome.memory && !scratch.guard_intact()) outcome.memory = testing::AssertionFailure() << "written past the workspace";
  return outcome;
}

testing::AssertionResult agrees(Parts& parts) {
  const CombineArgs args = parts.args();
  const CombineOracle oracle = combine_ref(args);
  const Outcome outcome = run(args, parts.arrangement);
  if (outcome.status != Status::Ok) return testing::AssertionFailure() << "status " << to_string(outcome.status);
  if (!outcome.memory) return outcome.memory;
  if (const auto ok = within_tolerance(outcome.output, oracle.output); !ok)
    return testing::AssertionFailure() << "output" << ok.message();
  if (const auto ok = within_tolerance(outcome.lse, oracle.lse); !ok)
    return testing::AssertionFailure() << "lse" << ok.message();
  return testing::AssertionSuccess();
}

}  // namespace

TEST(Combine, EveryNumberOfPartsAndWidthAgrees) {
  for (const std::size_t count : {1u, 2u, 3u, 7u}) {
    for (const std::size_t width : {1u, 2u, 3u, 4u, 5u, 7u, 64u, 80u, 256u}) {
      Parts parts(count, {2, 3, 5, width}, count * 1000 + width), gaps(count, {2, 3, 5, width}, width, kGaps);
      EXPECT_TRUE(agrees(parts)) << count << " parts of width " << width;
      EXPECT_TRUE(agrees(gaps)) << count << " parts of width " << width << " with gaps";
      parts.sinks = {0.0f, 7.0f, -300.0f};
      EXPECT_TRUE(agrees(parts)) << count << " parts of width " << width << " with sinks";
    }
  }
}

TEST(Combine, OnePartIsItself) {
  Parts parts(1, {1, 2, 3, 9}, 1);
  const Outcome outcome = run(parts.args());
  EXPECT_TRUE(same_bits(outcome.output, parts.outputs[0].elements()));
  EXPECT_TRUE(same_bits(outcome.lse, parts.lses[0].elements()));
}

TEST(Combine, AnyOrderOfAxesAgrees) {
  Parts parts(3, {2, 3, 4, 10}, 2, {Layout::Bthd, {.lead = 1, .row = 3, .plane = 2, .tail = 8}});
  EXPECT_TRUE(agrees(parts));
  Parts straight(3, {2, 3, 4, 10}, 2, {Layout::Bhtd, {.lead = 1, .row = 3, .plane = 2, .tail = 8}});
  EXPECT_TRUE(same_bits(run(parts.args()), run(straight.args())));
}

TEST(Combine, LseFarApartAndLargeAgree) {
  for (const float far : {20.0f, 80.0f, 87.5f, 90.0f, 110.0f, 1e4f, 3e38f}) {
    Parts parts(3, {1, 1, 4, 6}, 3);
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t p = 0; p < 3; ++p) parts.lses[p].at(0, 0, i, 0) = 0.25f * static_cast<float>(p);
      parts.lses[i % 3].at(0, 0, i, 0) = i == 3 ? -far : far;
    }
    EXPECT_TRUE(agrees(parts)) << far;
    for (const float sink : {0.0f, far, -far}) {
      parts.sinks = {sink};
      EXPECT_TRUE(agrees(parts)) << far << ", sink " << sink;
    }
  }
}

TEST(Combine, APartWithoutKeysIsSkippedWhateverItsOutputHolds) {
  for (const float held : {0.0f, 1.0f, kHuge, kInfinity, -kInfinity, kNan}) {
    Parts parts(3, {1, 2, 3, 5}, 4);
    for (std::size_t h = 0; h < 2; ++h)
      for (std::size_t i = 0; i < 3; ++i) parts.empty(i, 0, h, i, held);
    for (const bool sinks : {false, true}) {
      parts.sinks = sinks ? std::vector{1.0f, -2.0f} : std::vector<float>{};
      EXPECT_TRUE(agrees(parts)) << held;
    }
    Parts quiet = parts;
    for (std::size_t h = 0; h < 2; ++h)
      for (std::size_t i = 0; i < 3; ++i) quiet.empty(i, 0, h, i, 0.0f);
    EXPECT_TRUE(same_bits(run(parts.args()), run(quiet.args()))) << held;
  }
}

TEST(Combine, ARowWithoutKeysInAnyPartIsZeroAndItsLseMinusInfinity) {
  for (const bool sinks : {false, true}) {
    Parts parts(2, {1, 1, 3, 7}, 5);
    if (sinks) parts.sinks = {4.0f};
    for (std::size_t p = 0; p < 2; ++p) parts.empty(p, 0, 0, 1);
    EXPECT_TRUE(agrees(parts));
    const Outcome outcome = run(parts.args());
    EXPECT_TRUE(all_zero(outcome.output_row(1, 7)));
    EXPECT_EQ(outcome.lse[1], -kInfinity);
  }
}

TEST(Combine, WithoutPartsEveryRowIsEmpty) {
  Parts parts(0, {1, 1, 2, 3}, 6);
  const Outcome outcome = run(parts.args());
  EXPECT_EQ(outcome.status, Status::Ok);
  EXPECT_TRUE(all_zero(outcome.output));
  EXPECT_TRUE(all_equal(outcome.lse, -kInfinity));
}

TEST(Combine, ANanOrInfiniteLseMakesItsRowNanAndNoOther) {
  for (const float broken : {kNan, kInfinity}) {
    for (std::size_t part = 0; part < 3; ++part) {
      for (const bool sinks : {false, true}) {
        Parts parts(3, {1, 1, 3, 6}, 7);
        if (sinks) parts.sinks = {0.5f};
        const Outcome expected = run(parts.args());
        parts.lses[part].at(0, 0, 1, 0) = broken;
        const Outcome outcome = run(parts.args());
        EXPECT_TRUE(all_nan(outcome.output_row(1, 6))) << broken << " in part " << part;
        EXPECT_TRUE(std::isnan(outcome.lse[1])) << broken << " in part " << part;
        for (const std::size_t row : {0u, 2u}) {
          EXPECT_TRUE(same_bits(outcome.output_row(row, 6), expected.output_row(row, 6)));
          EXPECT_TRUE(same_bits(outcome.lse[row], expected.lse[row]));
        }
      }
    }
  }
  // Beside nothing but parts without keys too.
  Parts alone(2, {1, 1, 1, 5}, 7);
  alone.empty(0, 0, 0, 0);
  for (const float broken : {kNan, kInfinity}) {
    alone.lses[1].at(0, 0, 0, 0) = broken;
    EXPECT_TRUE(all_nan(run(alone.args()).output));
    EXPECT_TRUE(all_nan(run(alone.args()).lse));
  }
}

TEST(Combine, ANanInAnOutputStaysInItsElement) {
  Parts parts(2, {1, 1, 2, 6}, 8);
  const Outcome expected = run(parts.args());
  parts.outputs[1].at(0, 0, 0, 2) = kNan;
  const Outcome outcome = run(parts.args());
  for (std::size_t n = 0; n < 12; ++n) {
    if (n == 2) {
      EXPECT_TRUE(std::isnan(outcome.output[n]));
    } else {
      EXPECT_TRUE(same_bits(outcome.output[n], expected.output[n])) << n;
    }
  }
  EXPECT_TRUE(same_bits(outcome.lse, expected.lse));
}

TEST(Combine, TheOrderIsThatOfTheParts) {
  Parts parts(3, {1, 1, 1, 5}, 9);
  const auto joined = [&parts](float first, float second, float third) {
    for (std::size_t d = 0; d < 5; ++d) {
      parts.outputs[0].at(0, 0, 0, d) = first;
      parts.outputs[1].at(0, 0, 0, d) = second;
      parts.outputs[2].at(0, 0, 0, d) = third;
    }
    for (Slab<float>& lse : parts.lses) lse.at(0, 0, 0, 0) = 0;
    return run(parts.args()).output;
  };
  EXPECT_TRUE(all_equal(joined(1e8f, 1.0f, -1e8f), 0.0f));
  EXPECT_TRUE(all_equal(joined(1e8f, -1e8f, 1.0f), 1.0f / 3.0f));
}

TEST(Combine, ARowAloneHasTheSameBits) {
  Parts parts(3, {2, 2, 4, 11}, 10, kGaps);
  parts.empty(1, 1, 0, 2);
  parts.sinks = {0.5f, -1.0f};
  const CombineArgs args = parts.args();
  const Outcome whole = run(args);
  for (std::size_t row = 0; row < 16; ++row) {
    const std::size_t b = row / 8, h = row / 4 % 2, i = row % 4;
    std::vector<CombinePart> table = parts.table;
    for (CombinePart& part : table) {
      part.output.data = part.output.row(b, h, i);
      part.lse.data = part.lse.row(b, h, i);
    }
    CombineArgs alone = args;
    alone.batch = alone.heads = alone.queries = 1;
    alone.parts = table.data();
    alone.sinks = args.sinks + h;
    const Outcome outcome = run(alone);
    EXPECT_TRUE(same_bits(outcome.output, whole.output_row(row, 11))) << row;
    EXPECT_TRUE(same_bits(outcome.lse[0], whole.lse[row])) << row;
  }
}

TEST(Combine, SinksChangeNoBitOfLse) {
  Parts parts(3, {1, 2, 3, 4}, 11);
  const Outcome without = run(parts.args());
  for (const float sink : {-1e6f, 0.0f, 5.0f, 1e6f}) {
    parts.sinks = {sink, sink};
    const Outcome with = run(parts.args());
    EXPECT_TRUE(same_bits(with.lse, without.lse)) << sink;
    EXPECT_EQ(static_cast<bool>(same_bits(with.output, without.output)), sink == -1e6f) << sink;
  }
}

TEST(Combine, PartsOfAttentionJoinToAttentionOverAllKeys) {
  Problem problem({2, 4, 2, 5, 200, 16, 24}, 12);
  problem.causal = true;
  problem.sinks = {0.0f, 1.0f, -4.0f, 9.0f};
  problem.offsets = {40, 195};
  const std::vector<std::size_t> ends = {0, 1, 64, 130, 200};
  std::vector<Outcome> outcomes;
  std::vector<CombinePart> table;
  for (std::size_t p = 0; p + 1 < ends.size(); ++p) {
    AttentionArgs part = problem.args();
    const auto from = static_cast<std::ptrdiff_t>(ends[p]);
    const std::vector<std::int32_t> offsets = {40 - static_cast<std::int32_t>(from), 195 - static_cast<std::int32_t>(from)};
    part.keys = ends[p + 1] - ends[p];
    part.k.data += from * part.k.token;
    part.v.data += from * part.v.token;
    part.offsets = offsets.data();
    part.sinks = nullptr;
    outcomes.push_back(run(part, Want::Lse));
  }
  for (const Outcome& part : outcomes)
    table.push_back({{part.output.data(), 4 * 5 * 24, 5 * 24, 24}, {part.lse.data(), 4 * 5, 5, 1}});
  CombineArgs args;
  args.batch = 2;
  args.heads = 4;
  args.queries = 5;
  args.value_width = 24;
  args.parts = table.data();
  args.count = table.size();
  args.sinks = problem.sinks.data();
  EXPECT_TRUE(agrees(run(args), problem.oracle()));
}

TEST(Combine, NoRowsAndNoWidthAreFine) {
  for (const Extents& extents : {Extents{0, 2, 3, 4}, Extents{2, 0, 3, 4}, Extents{2, 2, 0, 4}, Extents{2, 2, 3, 0}}) {
    Parts parts(2, extents, 13);
    EXPECT_TRUE(agrees(parts));
  }
}

TEST(Combine, AWorkspaceThatIsTooSmallIsAMemoryErrorAndNothingIsWritten) {
  for (const std::size_t width : {1u, 16u, 17u, 80u}) {
    Parts parts(2, {1, 1, 2, width}, 14);
    const Outcome outcome = run(parts.args(), {}, 1);
    EXPECT_EQ(outcome.status, Status::Memory);
    EXPECT_TRUE(all_poison(outcome.output));
    EXPECT_TRUE(all_poison(outcome.lse));
  }
}

}  // namespace fovea::test
