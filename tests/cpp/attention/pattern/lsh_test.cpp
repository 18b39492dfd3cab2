/// Buckets of locality-sensitive hashing, against their definition in double and, bit for bit, in float32.

#include "attention/pattern/lsh.hpp"

#include "support/random.hpp"
#include "support/scratch.hpp"
#include "support/slab.hpp"

namespace fovea::test {
namespace {

constexpr std::int32_t kUntouched = -77;

struct Extents {
  std::size_t batch = 1, heads = 1, tokens = 1, width = 1;
};

struct Hashed {
  Status status = Status::Internal;
  std::vector<std::int32_t> ids;
  bool memory = false;  // nothing was written around the ids or past the workspace
};

Slab<float> normal_rows(const Extents& extents, std::uint64_t seed, Layout layout = Layout::Bhtd, const Padding& padding = {}) {
  Slab<float> x(extents.batch, extents.heads, extents.tokens, extents.width, kHuge, layout, padding);
  Random random(seed);
  x.fill([&] { return random.normal(); });
  return x;
}

LshArgs call(const Slab<float>& x, std::uint32_t buckets, std::uint32_t rounds, std::uint64_t seed = 7) {
  LshArgs args;
  args.batch = x.batch();
  args.heads = x.heads();
  args.tokens = x.tokens();
  args.width = x.width();
  args.x = x.view();
  args.buckets = buckets;
  args.rounds = rounds;
  args.seed = to_seed(seed);
  return args;
}

std::size_t id_count(const LshArgs& args) { return args.rounds * args.batch * args.heads * args.tokens; }

Hashed run(LshArgs args, std::size_t short_by = 0) {
  constexpr std::size_t kGuard = 9;
  const std::size_t count = id_count(args);
  std::vector<std::int32_t> ids(count + 2 * kGuard, kUntouched);
  args.ids = ids.data() + kGuard;
  Scratch scratch(lsh_workspace_bytes(args), short_by, kPoison);
  Hashed hashed;
  hashed.status = lsh_buckets(args, scratch.workspace());
  hashed.ids.assign(ids.begin() + kGuard, ids.end() - kGuard);
  const auto untouched = [](std::int32_t id) { return id == kUntouched; };
  hashed.memory = scratch.guard_intact() && std::all_of(ids.begin(), ids.begin() + kGuard, untouched) &&
                  std::all_of(ids.end() - kGuard, ids.end(), untouched);
  return hashed;
}

std::vector<std::int32_t> ids_of(const LshArgs& args) {
  const Hashed hashed = run(args);
  EXPECT_EQ(hashed.status, Status::Ok);
  EXPECT_TRUE(hashed.memory);
  return hashed.ids;
}

/// Entry (d, c) of R_round.
float entry(const LshArgs& args, std::size_t d, std::size_t c, std::uint32_t round) {
  return normals(
      philox(args.seed, static_cast<std::uint32_t>(c), static_cast<std::uint32_t>(d / 4), round, Stream::Lsh))[d % 4];
}

/// [xR, -xR] of one token, summed over d from 0.
template <class Real>
std::vector<Real> scores_ref(const LshArgs& args, const float* x, std::uint32_t round) {
  const std::size_t half = args.buckets / 2;
  std::vector<Real> scores(args.buckets);
  for (std::size_t c = 0; c < half; ++c) {
    for (std::size_t d = 0; d < args.width; ++d)
      scores[c] += static_cast<Real>(x[d]) * static_cast<Real>(entry(args, d, c, round));
    scores[half + c] = -scores[c];
  }
  return scores;
}

template <class Real>
std::size_t argmax_ref(const std::vector<Real>& scores) {
  std::size_t best = 0;
  Real largest = -std::numeric_limits<Real>::infinity();
  for (std::size_t c = 0; c < scores.size(); ++c) {
    if (!(scores[c] > largest)) continue;
    largest = scores[c];
    best = c;
  }
  return best;
}

/// f(id, row, round) for every id, in the order in which they lie.
template <class F>
void each_id(const LshArgs& args, const std::vector<std::int32_t>& ids, F f) {
  std::size_t n = 0;
  for (std::uint32_t round = 0; round < args.rounds; ++round)
    for (std::size_t b = 0; b < args.batch; ++b)
      for (std::size_t h = 0; h < args.heads; ++h)
        for (std::size_t t = 0; t < args.tokens; ++t) f(ids[n++], args.x.row(b, h, t), round);
}

/// The ids are those of the definition in float32, and those of the definition in double wherever rounding cannot decide.
testing::AssertionResult agrees(const LshArgs& args) {
  const std::vector<std::int32_t> ids = ids_of(args);
  std::size_t wrong_bits = 0, wrong = 0, undecided = 0;
  each_id(args, ids, [&](std::int32_t id, const float* x, std::uint32_t round) {
    const auto c = static_cast<std::size_t>(id);
    wrong_bits += c != argmax_ref(scores_ref<float>(args, x, round));
    std::vector<double> scores = scores_ref<double>(args, x, round);
    // Each of D products and D sums is off by half an eps of at most Σ |x R|, in both of two projections.
    double size = 0;
    for (std::size_t column : {argmax_ref(scores), c})
      for (std::size_t d = 0; d < args.width; ++d)
        size += std::abs(static_cast<double>(x[d] * entry(args, d, column % (args.buckets / 2), round)));
    const double bound = static_cast<double>(args.width + 1) * static_cast<double>(kEpsilon) * size;
    const std::size_t best = argmax_ref(scores);
    wrong += scores[c] < scores[best] - bound;
    undecided += c != best;
  });
  if (wrong_bits == 0 && wrong == 0 && undecided <= ids.size() / 100) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "of " << ids.size() << " ids " << wrong_bits << " differ from the float32 definition, "
                                     << wrong << " are wrong, " << undecided << " left to rounding";
}

double share_in_common(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b) {
  std::size_t common = 0;
  for (std::size_t n = 0; n < a.size(); ++n) common += a[n] == b[n];
  return static_cast<double>(common) / static_cast<double>(a.size());
}

}  // namespace

TEST(Lsh, EveryWidthAndNumberOfBucketsAgreesWithTheDefinition) {
  for (const std::size_t width : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 16u, 64u, 65u})
    for (const std::uint32_t buckets : {2u, 4u, 6u, 8u, 14u, 16u, 18u, 32u, 34u, 66u})
      EXPECT_TRUE(agrees(call(normal_rows({1, 1, 13, width}, width * 100 + buckets), buckets, 2)))
          << "width " << width << ", " << buckets << " buckets";
}

TEST(Lsh, TheIdsOfASeedStayAsTheyAre) {
  // Computed in Python. The nearest two projections are 3e-4 of their size apart: no library's rounding tells here.
  Slab<float> x(1, 1, 8, 7, kHuge);
  for (std::size_t t = 0; t < 8; ++t)
    for (std::size_t d = 0; d < 7; ++d) x.at(0, 0, t, d) = static_cast<float>((7 * t + 3 * d) % 11) - 5.0f;
  EXPECT_EQ(ids_of(call(x, 20, 2, 12345678901234)),
            (std::vector<std::int32_t>{0, 8, 4, 16, 9, 15, 14, 1, 17, 16, 7, 17, 5, 19, 11, 5}));
}

TEST(Lsh, BetweenTwoBucketsRoundingDecidesAsInTheDefinition) {
  // Halving the way between two vectors ends where their buckets meet, and a fused product would choose another one.
  Slab<float> low = normal_rows({1, 1, 256, 33}, 18), high = normal_rows({1, 1, 256, 33}, 19);
  const std::vector<std::int32_t> ids = ids_of(call(low, 16, 1));
  for (int step = 0; step < 28; ++step) {
    Slab<float> middle = low;
    for (std::size_t t = 0; t < 256; ++t)
      for (std::size_t d = 0; d < 33; ++d) middle.at(0, 0, t, d) = (low.at(0, 0, t, d) + high.at(0, 0, t, d)) / 2;
    const LshArgs args = call(middle, 16, 1);
    const std::vector<std::int32_t> middles = ids_of(args);
    std::size_t wrong = 0;
    each_id(args, middles, [&](std::int32_t id, const float* row, std::uint32_t round) {
      wrong += static_cast<std::size_t>(id) != argmax_ref(scores_ref<float>(args, row, round));
    });
    ASSERT_EQ(wrong, 0u) << "step " << step;
    for (std::size_t t = 0; t < 256; ++t) {
      Slab<float>& end = middles[t] == ids[t] ? low : high;
      for (std::size_t d = 0; d < 33; ++d) end.at(0, 0, t, d) = middle.at(0, 0, t, d);
    }
  }
}

TEST(Lsh, EveryNumberOfTokensAgreesInEveryBatchAndHead) {
  for (const std::size_t tokens : {1u, 2u, 3u, 4u, 5u, 7u, 64u, 65u})
    EXPECT_TRUE(agrees(call(normal_rows({2, 3, tokens, 6}, tokens), 10, 3))) << tokens;
}

TEST(Lsh, AnyLayoutGivesTheSameIds) {
  const Extents extents{2, 3, 9, 7};
  const std::vector<std::int32_t> straight = ids_of(call(normal_rows(extents, 1), 12, 3));
  const Padding gaps{.lead = 3, .row = 5, .plane = 7, .tail = 64};
  EXPECT_EQ(ids_of(call(normal_rows(extents, 1, Layout::Bthd), 12, 3)), straight);
  EXPECT_EQ(ids_of(call(normal_rows(extents, 1, Layout::Bthd, gaps), 12, 3)), straight);
  EXPECT_EQ(ids_of(call(normal_rows(extents, 1, Layout::Bhtd, gaps), 12, 3)), straight);

  // Strides of 0: one head for all.
  const Slab<float> x = normal_rows({1, 1, 9, 7}, 2);
  LshArgs shared = call(x, 12, 1);
  const std::vector<std::int32_t> one = ids_of(shared);
  shared.heads = 3;
  shared.x.head = 0;
  std::vector<std::int32_t> three;
  for (int head = 0; head < 3; ++head) three.insert(three.end(), one.begin(), one.end());
  EXPECT_EQ(ids_of(shared), three);
}

TEST(Lsh, TheLengthOfAVectorDoesNotMatter) {
  const Slab<float> x = normal_rows({2, 2, 33, 24}, 3);
  const std::vector<std::int32_t> ids = ids_of(call(x, 16, 4));
  for (const float scale : {2.0f, 0x1p-20f, 0x1p60f}) {
    Slab<float> scaled = x;
    scaled.each([&](float& value) { value *= scale; });
    EXPECT_EQ(ids_of(call(scaled, 16, 4)), ids) << scale;
  }
}

TEST(Lsh, TheOppositeVectorLiesInTheOppositeBucket) {
  const Slab<float> x = normal_rows({1, 2, 33, 24}, 4);
  Slab<float> opposite = x;
  opposite.each([](float& value) { value = -value; });
  const std::vector<std::int32_t> ids = ids_of(call(x, 14, 4)), opposites = ids_of(call(opposite, 14, 4));
  for (std::size_t n = 0; n < ids.size(); ++n) EXPECT_EQ(opposites[n], (ids[n] + 7) % 14) << n;
}

TEST(Lsh, NearVectorsShareABucketMoreOftenThanFarOnes) {
  const Extents extents{1, 1, 256, 32};
  const Slab<float> x = normal_rows(extents, 5), far = normal_rows(extents, 6);
  Slab<float> near = x;
  Random random(7);
  near.each([&](float& value) { value += 0.1f * random.normal(); });
  const std::vector<std::int32_t> ids = ids_of(call(x, 16, 8));
  EXPECT_GT(share_in_common(ids, ids_of(call(near, 16, 8))), 0.6);
  EXPECT_LT(share_in_common(ids, ids_of(call(far, 16, 8))), 2.0 / 16) << "1/16 is chance";
}

TEST(Lsh, EveryBucketIsUsed) {
  const std::vector<std::int32_t> ids = ids_of(call(normal_rows({1, 1, 512, 16}, 8), 8, 8));
  std::size_t counts[8] = {};
  for (const std::int32_t id : ids) ++counts[id];
  for (const std::size_t count : counts) EXPECT_GT(count, ids.size() / 16);
}

TEST(Lsh, RoundsAndSeedsDiffer) {
  const Slab<float> x = normal_rows({1, 1, 256, 16}, 9);
  const std::vector<std::int32_t> ids = ids_of(call(x, 16, 2));
  const std::vector<std::int32_t> first(ids.begin(), ids.begin() + 256), second(ids.begin() + 256, ids.end());
  EXPECT_LT(share_in_common(first, second), 0.25);
  for (const std::uint64_t seed : {8ull, 7ull + (1ull << 32)})
    EXPECT_LT(share_in_common(ids, ids_of(call(x, 16, 2, seed))), 0.25) << seed;
}

TEST(Lsh, AnIdDependsOnItsOwnVectorAndRoundAlone) {
  const Slab<float> x = normal_rows({2, 2, 6, 10}, 10);
  const LshArgs args = call(x, 20, 3);
  const std::vector<std::int32_t> ids = ids_of(args);
  std::size_t n = 0;
  each_id(args, ids, [&](std::int32_t id, const float* row, std::uint32_t round) {
    LshArgs alone = args;
    alone.batch = alone.heads = alone.tokens = 1;
    alone.x.data = row;
    alone.rounds = round + 1;
    EXPECT_EQ(ids_of(alone)[round], id) << n++;
  });
}

TEST(Lsh, ComponentsOfZeroDoNotMatter) {
  const Slab<float> narrow = normal_rows({1, 1, 40, 5}, 11);
  Slab<float> wide(1, 1, 40, 23, kHuge);
  wide.fill([] { return 0.0f; });
  for (std::size_t t = 0; t < 40; ++t)
    for (std::size_t d = 0; d < 5; ++d) wide.at(0, 0, t, d) = narrow.at(0, 0, t, d);
  EXPECT_EQ(ids_of(call(wide, 12, 4)), ids_of(call(narrow, 12, 4)));
}

TEST(Lsh, ZeroAndNanLieInBucketZeroAndChangeNoOtherRow) {
  const Slab<float> x = normal_rows({1, 1, 9, 7}, 12);
  const std::vector<std::int32_t> ids = ids_of(call(x, 18, 2));
  const auto expect_bucket_zero = [&](const Slab<float>& changed) {
    std::vector<std::int32_t> expected = ids;
    expected[4] = expected[9 + 4] = 0;
    EXPECT_EQ(ids_of(call(changed, 18, 2)), expected);
  };
  for (const float zero : {0.0f, -0.0f}) {
    Slab<float> changed = x;
    for (std::size_t d = 0; d < 7; ++d) changed.at(0, 0, 4, d) = zero;
    expect_bucket_zero(changed);
  }
  for (const float nan : {kNan, -kNan}) {
    for (std::size_t d = 0; d < 7; ++d) {
      Slab<float> changed = x;
      changed.at(0, 0, 4, d) = nan;
      expect_bucket_zero(changed);
    }
  }
}

TEST(Lsh, AmongNansTheLargestProjectionWinsAndTheLowestOfSeveral) {
  // +inf and -inf clash to NaN in the columns where their entries have like signs; all others are infinite.
  const std::vector<float> rows[] = {{kInfinity, -kInfinity, 1}, {kInfinity, 1, 2}, {-kInfinity, 3, 4}, {kHuge, kHuge, -kHuge}};
  for (const std::uint32_t buckets : {2u, 6u, 16u, 34u}) {
    Slab<float> x(1, 1, 4, 3, kHuge);
    for (std::size_t t = 0; t < 4; ++t)
      for (std::size_t d = 0; d < 3; ++d) x.at(0, 0, t, d) = rows[t][d];
    const LshArgs args = call(x, buckets, 5);
    each_id(args, ids_of(args), [&](std::int32_t id, const float* row, std::uint32_t round) {
      EXPECT_EQ(static_cast<std::size_t>(id), argmax_ref(scores_ref<float>(args, row, round)));
    });
  }
}

TEST(Lsh, NoTokensAreFine) {
  for (const Extents& extents : {Extents{0, 2, 3, 4}, Extents{2, 0, 3, 4}, Extents{2, 2, 0, 4}}) {
    const Hashed hashed = run(call(normal_rows(extents, 14), 4, 2));
    EXPECT_EQ(hashed.status, Status::Ok);
    EXPECT_TRUE(hashed.memory);
  }
}

TEST(Lsh, WrongNumbersAreErrorsAndNothingIsWritten) {
  const Slab<float> x = normal_rows({1, 1, 3, 4}, 15);
  const auto refused = [](const LshArgs& args, Status status) {
    std::vector<std::int32_t> ids(id_count(args) + 1, kUntouched);
    LshArgs written = args;
    written.ids = ids.data();
    std::vector<float> memory(4096);
    EXPECT_EQ(lsh_buckets(written, {memory.data(), memory.size()}), status);
    EXPECT_EQ(ids, std::vector<std::int32_t>(ids.size(), kUntouched));
  };
  for (const std::uint32_t buckets : {0u, 1u, 3u, 17u, 1u << 31, ~0u, ~0u - 1}) refused(call(x, buckets, 1), Status::Value);
  refused(call(x, 4, 0), Status::Value);
  LshArgs flat = call(x, 4, 1);
  flat.width = 0;
  refused(flat, Status::Shape);
}

TEST(Lsh, AWorkspaceThatIsTooSmallIsAMemoryErrorAndNothingIsWritten) {
  for (const std::uint32_t buckets : {2u, 16u, 18u}) {
    const Slab<float> x = normal_rows({1, 1, 3, 5}, 16);
    for (const std::size_t short_by : {1u, 17u, 33u, 1000u}) {
      const Hashed hashed = run(call(x, buckets, 1), short_by);
      EXPECT_EQ(hashed.status, Status::Memory);
      EXPECT_EQ(hashed.ids, std::vector<std::int32_t>(3, kUntouched));
      EXPECT_TRUE(hashed.memory);
    }
  }
}

TEST(Lsh, MoreThanAnyMemoryIsAMemoryErrorAlsoWhereTheProductOfSizesWraps) {
  const Slab<float> x = normal_rows({1, 1, 1, 1}, 17);
  std::int32_t id = kUntouched;
  float memory[64];
  for (const std::uint32_t buckets : {16u, 1u << 20, (1u << 31) - 2}) {
    LshArgs args = call(x, buckets, 1);
    args.ids = &id;
    // With 16 buckets and 8 columns, width * 8 is 0.
    args.width = (~std::size_t{0} >> 3) + 1;
    EXPECT_GT(lsh_workspace_bytes(args), std::uint64_t{1} << 32);
    EXPECT_EQ(lsh_buckets(args, {memory, sizeof memory}), Status::Memory);
    EXPECT_EQ(id, kUntouched);
  }
}

}  // namespace fovea::test
