/// The generator: its words against published and independently computed ones, its distributions against their moments.

#include "core/random.hpp"

#include <numbers>
#include <set>
#include <vector>

#include "support/bits.hpp"

namespace fovea::test {
namespace {

/// Words and how they lie on the line: the smallest, the largest, and both sides of the middle.
constexpr std::uint32_t kEdges[] = {0, 0x1FF, 0x200, 0x7FFFFFFF, 0x80000000, 0xFFFFFDFF, 0xFFFFFE00, 0xFFFFFFFF};

struct Known {
  std::uint64_t seed;
  Stream stream;
  std::uint32_t c0, c1, c2;
  RandomWords words;
};

/// The first words of every stream, computed in Python from the definition. They may never change: seeds are kept by users.
constexpr Known kFirst[] = {
    {0, Stream::Sampled, 0, 0, 0, {0x2DCE73E5u, 0x1348E23Fu, 0xFCF8E0ECu, 0xA287AADBu}},
    {0, Stream::Sampled, 1, 2, 3, {0x26AD760Au, 0x10A7CE4Du, 0x9101EFD5u, 0x501B6FA8u}},
    {0, Stream::Favor, 0, 0, 0, {0xDD2FC514u, 0xADF5A0DBu, 0xE6F70B22u, 0xD3B4CA74u}},
    {0, Stream::Favor, 1, 2, 3, {0x59E85A06u, 0x7D676265u, 0x7033AF74u, 0x0554A8B4u}},
    {0, Stream::Lsh, 0, 0, 0, {0x4D7B25FCu, 0xD75EE2F1u, 0x26BC1F97u, 0xC64D811Cu}},
    {0, Stream::Lsh, 1, 2, 3, {0x2C3CD80Au, 0x8EC73B92u, 0xFB84EE10u, 0x96F08FE3u}},
    {0, Stream::Pattern, 0, 0, 0, {0x1C9548B6u, 0xF255EFADu, 0x774267DCu, 0x00B447B4u}},
    {0, Stream::Pattern, 1, 2, 3, {0x893D1B71u, 0x7E332A8Au, 0x3B5C5689u, 0xA29E2FE9u}},
    {0, Stream::Parameters, 0, 0, 0, {0x2A497E61u, 0xE5A5EA88u, 0xF4AEDFA8u, 0x6369FBF5u}},
    {0, Stream::Parameters, 1, 2, 3, {0x52BEE3C8u, 0x9B7E79E9u, 0x87903F12u, 0x8C6EC429u}},
    {12345678901234u, Stream::Sampled, 0, 0, 0, {0x183D12BDu, 0x38177FDEu, 0x4516A3D5u, 0xAAFA214Eu}},
    {12345678901234u, Stream::Sampled, 1, 2, 3, {0x925E2CABu, 0xE4F26021u, 0xD0BE4C4Bu, 0xD7B02D9Eu}},
    {12345678901234u, Stream::Favor, 0, 0, 0, {0x057F6DE0u, 0x8FAB57BAu, 0xEF60DE9Bu, 0x09D15C32u}},
    {12345678901234u, Stream::Favor, 1, 2, 3, {0x9910DEA8u, 0x7A6262A6u, 0xD40D0498u, 0x965F019Au}},
    {12345678901234u, Stream::Lsh, 0, 0, 0, {0x20944BFBu, 0x8AAA5E22u, 0x544EEB1Du, 0x581C96DCu}},
    {12345678901234u, Stream::Lsh, 1, 2, 3, {0xDFCACD38u, 0x15E39A70u, 0x2725B017u, 0xEBF1ECB1u}},
    {12345678901234u, Stream::Pattern, 0, 0, 0, {0x58AB2146u, 0xF18FAA97u, 0x2A26CB36u, 0x0A82B30Bu}},
    {12345678901234u, Stream::Pattern, 1, 2, 3, {0x9E8539AFu, 0x3E2C81E4u, 0xB7BE32B9u, 0xC45B79DCu}},
    {12345678901234u, Stream::Parameters, 0, 0, 0, {0x0D096E41u, 0x6E230336u, 0x0C2347E8u, 0x22FCB124u}},
    {12345678901234u, Stream::Parameters, 1, 2, 3, {0xB50FA68Eu, 0x548D420Du, 0x6451284Cu, 0x38184EDCu}},
    {0, Stream::Selection, 0, 0, 0, {0xDFC65B5Du, 0xE385CD90u, 0xCCFDCEDAu, 0x59B058D4u}},
    {0, Stream::Selection, 1, 2, 3, {0xC9244551u, 0xCBF7193Au, 0xB6837009u, 0x903E8E83u}},
    {12345678901234u, Stream::Selection, 0, 0, 0, {0xA1321C18u, 0xB29F03F9u, 0x4F172959u, 0xF7326AF1u}},
    {12345678901234u, Stream::Selection, 1, 2, 3, {0xB823BCBEu, 0x995C44F4u, 0x127FA845u, 0xF395DFEBu}},
};

struct KnownParameter {
  std::uint64_t seed;
  /// FNV-1a of 'Wa', of 'decoder.weight_ih_l0', of 'Wé' in UTF-8.
  std::uint32_t name;
  double entries[6];
};

/// The first entries of a few parameters before they are rounded, computed in Python from the definition.
constexpr KnownParameter kFirstEntries[] = {
    {0,
     0x5FF80415u,
     {0.24770940299405908, -1.6535635966730913, 1.5907181265128074, 0.7767664865126748, 0.21332602651223453,
      -0.5464991023473432}},
    {12345678901234u,
     0x94F24B76u,
     {-1.1794988518272043, 2.675680510355168, 0.9590996738776923, 0.025287414904203373, -1.6081235390854143,
      -3.1078909716815057}},
    {(std::uint64_t{1} << 53) - 1,
     0xB1DDE452u,
     {-0.21438989460295907, 0.22644505582968497, -0.7597950124591497, 0.2316249608678568, -2.5249036128018068,
      0.2609320756998077}},
};

constexpr std::size_t kDraws = std::size_t{1} << 18;

/// A mean of kDraws independent terms strays from the expected one by six of its standard deviations once in 5e8 seeds.
double six_sigma(double variance_of_a_term, std::size_t draws = kDraws) {
  return 6 * std::sqrt(variance_of_a_term / static_cast<double>(draws));
}

/// Calls f with the four words of each counter of a line of kDraws / 4.
template <class F>
void each_call(F f) {
  for (std::uint32_t c0 = 0; c0 < kDraws / 4; ++c0) f(philox(to_seed(42), c0, 0, 0, Stream::Parameters));
}

}  // namespace

TEST(Random, PhiloxGivesTheWordsThatItsAuthorsPublished) {
  EXPECT_EQ(philox({0, 0}, 0, 0, 0, Stream{0}), (RandomWords{0x6627E8D5u, 0xE169C58Du, 0xBC57AC4Cu, 0x9B00DBD8u}));
  constexpr std::uint32_t kOnes = 0xFFFFFFFFu;
  EXPECT_EQ(philox({kOnes, kOnes}, kOnes, kOnes, kOnes, Stream{kOnes}),
            (RandomWords{0x408F276Du, 0x41C83B0Eu, 0xA20BC7C6u, 0x6D5451FDu}));
  EXPECT_EQ(philox({0xA4093822u, 0x299F31D0u}, 0x243F6A88u, 0x85A308D3u, 0x13198A2Eu, Stream{0x03707344u}),
            (RandomWords{0xD16CFE09u, 0x94FDCCEBu, 0x5001E420u, 0x24126EA1u}));
}

TEST(Random, TheFirstWordsOfEveryStreamStayAsTheyAre) {
  for (const Known& known : kFirst) {
    EXPECT_EQ(philox(to_seed(known.seed), known.c0, known.c1, known.c2, known.stream), known.words)
        << "seed " << known.seed << ", stream " << static_cast<std::uint32_t>(known.stream) << ", c0 " << known.c0;
  }
}

TEST(Random, ASeedIsCutInTwoWords) {
  const Seed seed = to_seed((std::uint64_t{1} << 53) - 2);
  EXPECT_EQ(seed.low, 0xFFFFFFFEu);
  EXPECT_EQ(seed.high, 0x001FFFFFu);
}

TEST(Random, EveryWordOfKeyAndCounterTakesPart) {
  std::set<RandomWords> seen;
  seen.insert(philox({0, 0}, 0, 0, 0, Stream::Sampled));
  seen.insert(philox({1, 0}, 0, 0, 0, Stream::Sampled));
  seen.insert(philox({0, 1}, 0, 0, 0, Stream::Sampled));
  seen.insert(philox({0, 0}, 1, 0, 0, Stream::Sampled));
  seen.insert(philox({0, 0}, 0, 1, 0, Stream::Sampled));
  seen.insert(philox({0, 0}, 0, 0, 1, Stream::Sampled));
  seen.insert(philox({0, 0}, 0, 0, 0, Stream::Favor));
  EXPECT_EQ(seen.size(), 7u);
}

TEST(Random, UniformsAreExactAndInsideOfZeroAndOne) {
  for (const std::uint32_t word : kEdges)
    EXPECT_EQ(static_cast<double>(uniform(word)), (std::floor(word / 512.0) + 0.5) / 8388608.0) << word;
  EXPECT_EQ(uniform(0), 0x1p-24f);
  EXPECT_EQ(uniform(0xFFFFFFFFu), 1.0f - 0x1p-24f);
  EXPECT_EQ(uniform(0x1FF), uniform(0)) << "the low nine bits are dropped";
}

TEST(Random, UniformsHaveTheMomentsOfAUniform) {
  double mean = 0, square = 0;
  std::size_t bins[16] = {};
  each_call([&](const RandomWords& words) {
    for (const std::uint32_t word : words) {
      const double u = static_cast<double>(uniform(word));
      mean += u / static_cast<double>(kDraws);
      square += (u - 0.5) * (u - 0.5) / static_cast<double>(kDraws);
      ++bins[static_cast<std::size_t>(u * 16)];
    }
  });
  EXPECT_NEAR(mean, 0.5, six_sigma(1.0 / 12));
  EXPECT_NEAR(square, 1.0 / 12, six_sigma(1.0 / 80 - 1.0 / 144));
  for (const std::size_t bin : bins)
    EXPECT_NEAR(static_cast<double>(bin) / static_cast<double>(kDraws), 1.0 / 16, six_sigma(15.0 / 256));
}

TEST(Random, UniformBelowIsBelowAndReachesBothEnds) {
  constexpr std::uint32_t kLargest = 0xFFFFFFFFu;
  for (const std::uint32_t n : {1u, 2u, 3u, 5u, 1000u, 1u << 23, (1u << 24) + 1, kLargest}) {
    for (const std::uint32_t word : kEdges) EXPECT_LT(uniform_below(word, n), n) << word;
  }
  for (const std::uint32_t n : {1u, 2u, 3u, 5u, 1000u, 1u << 23}) {
    EXPECT_EQ(uniform_below(0, n), 0u) << n;
    EXPECT_EQ(uniform_below(kLargest, n), n - 1) << n;
  }
  // With n = 2^23 the number is the word without its low bits.
  for (const std::uint32_t word : kEdges) EXPECT_EQ(uniform_below(word, 1u << 23), word >> 9);
}

TEST(Random, UniformBelowThreeIsEven) {
  std::size_t counts[3] = {};
  each_call([&](const RandomWords& words) {
    for (const std::uint32_t word : words) ++counts[uniform_below(word, 3)];
  });
  for (const std::size_t count : counts)
    EXPECT_NEAR(static_cast<double>(count) / static_cast<double>(kDraws), 1.0 / 3, six_sigma(2.0 / 9));
}

TEST(Random, NormalsAreBoxMullerOfTheUniformsInDouble) {
  const auto near = [](float actual, double truth) {
    // Half an ULP of float for the rounding, and a few of double for log, cos and sin, whose libraries differ.
    EXPECT_NEAR(static_cast<double>(actual), truth, 0x1p-24 * std::abs(truth) + 0x1p-46);
  };
  for (const std::uint32_t first : kEdges) {
    for (const std::uint32_t second : kEdges) {
      const double u1 = static_cast<double>(uniform(first)), u2 = static_cast<double>(uniform(second));
      const auto [cosine, sine] = normals(first, second);
      near(cosine, std::sqrt(-2 * std::log(u1)) * std::cos(2 * std::numbers::pi * u2));
      near(sine, std::sqrt(-2 * std::log(u1)) * std::sin(2 * std::numbers::pi * u2));
      EXPECT_LT(std::hypot(cosine, sine), 5.77f);
    }
  }
  const RandomWords words = philox(to_seed(1), 2, 3, 4, Stream::Favor);
  const std::array front = normals(words[0], words[1]), back = normals(words[2], words[3]);
  EXPECT_EQ(normals(words), (std::array{front[0], front[1], back[0], back[1]}));
}

TEST(Random, NormalsHaveTheMomentsOfANormal) {
  double moments[5] = {}, pairs = 0, halves = 0;
  each_call([&](const RandomWords& words) {
    const std::array x = normals(words);
    for (const float value : x) {
      double power = 1 / static_cast<double>(kDraws);
      for (double& moment : moments) {
        moment += power;
        power *= static_cast<double>(value);
      }
    }
    pairs += static_cast<double>(x[0] * x[1] + x[2] * x[3]) / static_cast<double>(kDraws / 2);
    halves += static_cast<double>(x[0] * x[2] + x[1] * x[3]) / static_cast<double>(kDraws / 2);
  });
  EXPECT_NEAR(moments[1], 0, six_sigma(1));
  EXPECT_NEAR(moments[2], 1, six_sigma(2));
  EXPECT_NEAR(moments[3], 0, six_sigma(15));
  EXPECT_NEAR(moments[4], 3, six_sigma(96));
  EXPECT_NEAR(pairs, 0, six_sigma(1, kDraws / 2)) << "cosine and sine of one angle";
  EXPECT_NEAR(halves, 0, six_sigma(1, kDraws / 2)) << "the two pairs of one call";
}

TEST(Random, GumbelsAreThoseOfTheUniformsAndHaveTheirMoments) {
  for (const std::uint32_t word : kEdges) {
    const double g = -std::log(-std::log((std::floor(word / 512.0) + 0.5) / 8388608.0));
    EXPECT_NEAR(gumbel(word), g, 1e-15 * std::abs(g) + 1e-15) << word;
    EXPECT_GT(gumbel(word), -2.82);
    EXPECT_LT(gumbel(word), 16.64);
  }
  double mean = 0, square = 0;
  each_call([&](const RandomWords& words) {
    for (const std::uint32_t word : words) {
      const double g = gumbel(word) - std::numbers::egamma;
      mean += g / static_cast<double>(kDraws);
      square += g * g / static_cast<double>(kDraws);
    }
  });
  // The variance is π²/6, the fourth moment 27/5 of its square.
  const double variance = std::numbers::pi * std::numbers::pi / 6;
  EXPECT_NEAR(mean, 0, six_sigma(variance));
  EXPECT_NEAR(square, variance, six_sigma(4.4 * variance * variance));
}

TEST(Random, ParametersAreTheNormalsOfTheirOwnName) {
  const Seed seed = to_seed(7);
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{4}, std::size_t{11}}) {
    std::vector<float> out(count + 1, -99.0f);
    parameter_normals(seed, 5, 0.5f, count, out.data());
    for (std::size_t i = 0; i < count; ++i) {
      const std::array drawn = normals(philox(seed, static_cast<std::uint32_t>(i / 4), 0, 5, Stream::Parameters));
      EXPECT_EQ(out[i], 0.5f * drawn[i % 4]) << i;
    }
    EXPECT_EQ(out[count], -99.0f) << "beyond " << count;
  }
}

TEST(Random, TheFirstEntriesOfParametersStayAsTheyAre) {
  for (const KnownParameter& known : kFirstEntries) {
    float out[6];
    parameter_normals(to_seed(known.seed), known.name, 1.0f, 6, out);
    // Half an ULP of float, and a few of double for log, cos and sin, whose libraries differ.
    for (std::size_t i = 0; i < 6; ++i)
      EXPECT_NEAR(static_cast<double>(out[i]), known.entries[i], 0x1p-24 * std::abs(known.entries[i]) + 0x1p-46) << i;
  }
}

TEST(Random, SelectionSamplesAreUniformsOfTokenRoleAndBatchBelowTheProbability) {
  constexpr std::uint32_t kBatch = 3, kTokens = 5;
  const Seed seed = to_seed(12345678901234u);
  std::size_t ones = 0;
  for (std::uint32_t role = 0; role < 2; ++role) {
    std::vector<float> probability(kBatch * kTokens);
    for (std::size_t n = 0; n < probability.size(); ++n) probability[n] = static_cast<float>(n) / 14.0f;
    std::vector<std::int32_t> samples(probability.size() + 1, -99);
    selection_samples(seed, role, kBatch, kTokens, probability.data(), samples.data());
    for (std::uint32_t n = 0; n < kBatch * kTokens; ++n) {
      const RandomWords words = philox(seed, n % kTokens, role, n / kTokens, Stream::Selection);
      const double u = ((words[0] >> 9) + 0.5) / 8388608.0;
      EXPECT_EQ(samples[n], u < static_cast<double>(probability[n]) ? 1 : 0) << n;
      ones += static_cast<std::size_t>(samples[n]);
    }
    EXPECT_EQ(samples.back(), -99);
  }
  EXPECT_TRUE(ones > 0 && ones < 2 * kBatch * kTokens);
}

TEST(Random, ASelectionFollowsItsProbabilityAndIsCertainAtBothEnds) {
  constexpr std::uint32_t kTokens = 1u << 16;
  std::vector<std::int32_t> samples(kTokens);
  for (const float p : {0.0f, 0x1p-24f, 0.3f, 1.0f, std::numeric_limits<float>::quiet_NaN()}) {
    const std::vector<float> probability(kTokens, p);
    selection_samples(to_seed(9), 1, 1, kTokens, probability.data(), samples.data());
    double mean = 0;
    for (const std::int32_t z : samples) mean += z / static_cast<double>(kTokens);
    // Uniforms are at least 2^-24: a probability of 2^-24 is never above one.
    const double want = p == 0.3f ? static_cast<double>(p) : p == 1.0f ? 1 : 0;
    EXPECT_NEAR(mean, want, six_sigma(want * (1 - want), kTokens)) << p;
  }
}

}  // namespace fovea::test
