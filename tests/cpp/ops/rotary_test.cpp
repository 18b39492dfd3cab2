#include "ops/rotary.hpp"

#include <complex>
#include <numbers>

#include "support/random.hpp"
#include "support/scratch.hpp"
#include "support/slab.hpp"

namespace fovea::test {
namespace {

/// The angle of pair i at position p, as the papers write it.
double angle_of(const RotaryFrequencies& of, double p, std::size_t i, std::size_t rotary) {
  const auto width = static_cast<double>(rotary);
  const double base = rotary > 2 ? of.base * std::pow(of.ntk, width / (width - 2)) : of.base;
  double f = 1 / std::pow(base, 2 * static_cast<double>(i) / width);
  if (of.original > 0) {
    const double wave = 2 * std::numbers::pi / f;
    if (wave > of.original / of.low) {
      f /= of.factor;
    } else if (wave >= of.original / of.high) {
      const double smooth = (of.original / wave - of.low) / (of.high - of.low);
      f = (1 - smooth) * (f / of.factor) + smooth * f;
    }
  }
  return p * of.scale * f;
}

struct Call {
  RotaryArgs args;
  Slab<float> x, out;
  std::vector<std::int32_t> positions;

  Call(std::size_t batch, std::size_t heads, std::size_t tokens, std::size_t width, std::size_t rotary, bool interleaved,
       std::uint64_t seed, Layout layout = Layout::Bhtd)
      : x(batch, heads, tokens, width, kHuge, layout, {1, 2, 3, 1}),
        out(batch, heads, tokens, width, kPoison, layout, {3, 1, 0, 2}) {
    Random random(seed);
    x.fill([&] { return random.normal(); });
    args.interleaved = interleaved;
    args.batch = batch;
    args.heads = heads;
    args.tokens = tokens;
    args.width = width;
    args.rotary = rotary;
  }

  Status run(std::size_t short_by = 0, ThreadPool* pool = nullptr) {
    args.x = std::as_const(x).view();
    args.out = out.view();
    args.positions = positions.empty() ? nullptr : positions.data();
    Scratch scratch(rotary_workspace_bytes(args, threads_of(pool)), short_by, kNan);
    const Status status = rotary(args, scratch.workspace(), pool);
    EXPECT_TRUE(scratch.guard_intact());
    EXPECT_TRUE(out.filler_intact());
    return status;
  }

  double position(std::size_t b, std::size_t t) const {
    if (positions.empty()) return args.start + static_cast<double>(t);
    return positions[static_cast<std::size_t>(args.positions_batch) * b + t];
  }

  /// A turn is a product of complex numbers: one rounding of the cosine and the sine, two of the products and one of the sum.
  testing::AssertionResult agrees() {
    if (const Status status = run(); status != Status::Ok) return testing::AssertionFailure() << to_string(status);
    for (std::size_t b = 0; b < args.batch; ++b)
      for (std::size_t h = 0; h < args.heads; ++h)
        for (std::size_t t = 0; t < args.tokens; ++t) {
          for (std::size_t i = 0; i < args.rotary / 2; ++i) {
            const std::size_t u = args.interleaved ? 2 * i : i, v = args.interleaved ? 2 * i + 1 : i + args.rotary / 2;
            const std::complex<double> before(x.at(b, h, t, u), x.at(b, h, t, v));
            const auto truth = before * std::polar(1.0, angle_of(args.frequencies, position(b, t), i, args.rotary));
            const double allowed = 2 * static_cast<double>(kEpsilon) * (std::abs(before.real()) + std::abs(before.imag()));
            if (!(std::abs(static_cast<double>(out.at(b, h, t, u)) - truth.real()) <= allowed &&
                  std::abs(static_cast<double>(out.at(b, h, t, v)) - truth.imag()) <= allowed))
              return testing::AssertionFailure() << "pair " << i << " of token " << t << ": " << out.at(b, h, t, u) << ", "
                                                 << out.at(b, h, t, v) << ", truth " << truth;
          }
          for (std::size_t j = args.rotary; j < args.width; ++j) {
            if (!same_bits(out.at(b, h, t, j), x.at(b, h, t, j))) return testing::AssertionFailure() << "column " << j;
          }
        }
    return testing::AssertionSuccess();
  }
};

}  // namespace

TEST(Rotary, EveryWidthAndPairingAgreesWithTheDefinition) {
  std::uint64_t seed = 0;
  for (const bool interleaved : {false, true})
    for (const std::size_t width : {2u, 3u, 7u, 8u, 18u, 64u, 80u, 130u})
      for (const std::size_t less : {0u, 2u, 6u}) {
        const std::size_t rotary = width / 2 * 2;
        if (less >= rotary) continue;
        ++seed;
        Call call(1 + seed % 3, 1 + seed % 2, 1 + seed % 19, width, rotary - less, interleaved, seed,
                  seed % 2 == 0 ? Layout::Bhtd : Layout::Bthd);
        call.args.start = static_cast<std::int32_t>(seed % 5) * 1000 - 1000;
        ASSERT_TRUE(call.agrees()) << "width " << width << ", rotary " << rotary - less;
      }
}

TEST(Rotary, InPlaceHasTheBitsOfAnOutputOfItsOwn) {
  for (const bool interleaved : {false, true})
    for (const std::size_t width : {2u, 10u, 27u, 64u}) {
      Call call(2, 3, 5, width, width / 2 * 2, interleaved, width);
      call.args.start = 7;
      ASSERT_EQ(call.run(), Status::Ok);
      call.args.out = call.x.view();
      Scratch scratch(rotary_workspace_bytes(call.args, 1), 0, kNan);
      ASSERT_EQ(rotary(call.args, scratch.workspace()), Status::Ok);
      for (std::size_t b = 0; b < 2; ++b)
        for (std::size_t h = 0; h < 3; ++h)
          for (std::size_t t = 0; t < 5; ++t)
            for (std::size_t j = 0; j < width; ++j) ASSERT_TRUE(same_bits(call.x.at(b, h, t, j), call.out.at(b, h, t, j))) << j;
    }
}

TEST(Rotary, PositionsOfEachSequenceOrOfAll) {
  for (const bool each : {false, true}) {
    Call call(3, 2, 5, 10, 8, false, 5);
    call.positions = {0, 7, 7, 100000, -4};
    if (each) call.positions.insert(call.positions.end(), {5, 4, 3, 2, 1, 9, 8, 9, 8, 500000000});
    call.args.positions_batch = each ? 5 : 0;
    ASSERT_TRUE(call.agrees()) << each;
  }
}

TEST(Rotary, ScaledFrequenciesAgreeWithTheirPapers) {
  for (const RotaryFrequencies frequencies :
       {RotaryFrequencies{500000}, RotaryFrequencies{12345.678}, RotaryFrequencies{10000, 0.25}, RotaryFrequencies{10000, 1, 8},
        RotaryFrequencies{500000, 1, 1, 8, 1, 4, 8192}, RotaryFrequencies{10000, 0.5, 1, 32, 2, 3, 100}}) {
    for (const std::size_t rotary : {2u, 4u, 64u}) {
      Call call(1, 2, 9, 64, rotary, true, 6);
      call.args.frequencies = frequencies;
      call.args.start = 3000;
      ASSERT_TRUE(call.agrees()) << frequencies.base << ", rotary " << rotary;
    }
  }
}

TEST(Rotary, NtkSlowsTheSlowestPairByItsFactorAndNotTheFastest) {
  Call call(1, 1, 1, 16, 16, true, 1);
  call.x.fill([n = 0]() mutable { return n++ % 2 == 0 ? 1.0f : 0.0f; });
  call.args.start = 1;
  call.args.frequencies.ntk = 4;
  ASSERT_EQ(call.run(), Status::Ok);
  EXPECT_NEAR(call.out.at(0, 0, 0, 1), std::sin(1.0), 1e-7);
  EXPECT_NEAR(call.out.at(0, 0, 0, 15), std::sin(std::pow(10000.0, -14.0 / 16) / 4), 1e-10);
}

TEST(Rotary, TablesTakeThePlaceOfAngles) {
  Random random(8);
  std::vector<float> cos(6 * 4), sin(6 * 4);
  for (std::size_t i = 0; i < cos.size(); ++i) {
    cos[i] = random.normal();
    sin[i] = random.normal();
  }
  for (const bool interleaved : {false, true}) {
    Call call(2, 2, 3, 9, 8, interleaved, 8);
    call.positions = {5, 0, 3};
    call.args.cos = cos.data();
    call.args.sin = sin.data();
    call.args.table_rows = 6;
    ASSERT_EQ(call.run(), Status::Ok);
    for (std::size_t t = 0; t < 3; ++t)
      for (std::size_t i = 0; i < 4; ++i) {
        const std::size_t u = interleaved ? 2 * i : i, v = interleaved ? 2 * i + 1 : i + 4;
        const std::size_t at = static_cast<std::size_t>(call.positions[t]) * 4 + i;
        EXPECT_EQ(call.out.at(1, 1, t, u), call.x.at(1, 1, t, u) * cos[at] - call.x.at(1, 1, t, v) * sin[at]);
        EXPECT_EQ(call.out.at(1, 1, t, v), call.x.at(1, 1, t, u) * sin[at] + call.x.at(1, 1, t, v) * cos[at]);
      }
    for (const std::int32_t beyond : {-1, 6}) {
      Call outside = call;
      outside.positions[1] = beyond;
      outside.out.fill([] { return kPoison; });
      EXPECT_EQ(outside.run(), Status::Value);
      EXPECT_TRUE(all_poison(outside.out.elements()));
    }
  }
}

TEST(Rotary, ANumberThatIsNotFiniteReachesItsPairOnly) {
  for (const bool interleaved : {false, true}) {
    Call clean(1, 1, 3, 20, 18, interleaved, 9), dirty = clean;
    dirty.x.at(0, 0, 1, 3) = kNan;
    ASSERT_EQ(clean.run(), Status::Ok);
    ASSERT_EQ(dirty.run(), Status::Ok);
    const std::size_t other = interleaved ? 2 : 12;
    for (std::size_t t = 0; t < 3; ++t)
      for (std::size_t j = 0; j < 20; ++j) {
        const bool is_of_pair = t == 1 && (j == 3 || j == other);
        EXPECT_EQ(same_bits(dirty.out.at(0, 0, t, j), clean.out.at(0, 0, t, j)), !is_of_pair) << j;
      }
  }
}

TEST(Rotary, AnyNumberOfThreadsGivesTheSameBits) {
  Call alone(2, 4, 300, 64, 64, true, 10), shared = alone;
  ASSERT_EQ(alone.run(), Status::Ok);
  for (const std::size_t threads : {2u, 5u}) {
    ThreadPool pool;
    ASSERT_EQ(pool.start(threads), kHasThreads ? threads : 1u);
    ASSERT_EQ(shared.run(0, &pool), Status::Ok);
    EXPECT_TRUE(same_bits(shared.out.elements(), alone.out.elements()));
  }
}

TEST(Rotary, ArgumentsThatDoNotMeetAreErrorsAndNothingIsWritten) {
  Call odd(1, 1, 2, 8, 7, false, 11), wide(1, 1, 2, 8, 10, false, 11), half(1, 1, 2, 8, 8, false, 11);
  const std::vector<float> table(8);
  half.args.cos = table.data();
  for (Call* const call : {&odd, &wide, &half}) {
    EXPECT_EQ(call->run(), Status::Shape);
    EXPECT_TRUE(all_poison(call->out.elements()));
  }
  Call poor(1, 1, 2, 8, 8, false, 11);
  EXPECT_EQ(poor.run(1), Status::Memory);
  EXPECT_TRUE(all_poison(poor.out.elements()));
}

}  // namespace fovea::test
