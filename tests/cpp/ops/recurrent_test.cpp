#include "ops/recurrent.hpp"

#include "support/recurrent_layer.hpp"

namespace fovea::test {
namespace {}  // namespace

TEST(Recurrent, EveryCellOfRaggedSizesAgreesWithTheDefinition) {
  std::uint64_t seed = 0;
  for (const RecurrentCell kind : kCells)
    for (const std::size_t batch : {1u, 2u, 3u, 4u, 7u})
      for (const std::size_t hidden : {1u, 5u, 8u, 33u, 64u})
        for (const std::size_t tokens : {1u, 2u, 7u}) {
          ++seed;
          RecurrentSizes sizes{
              .batch = batch, .tokens = tokens, .width = static_cast<std::size_t>(1 + seed % 9), .hidden = hidden};
          sizes.directions = 1 + seed % 2;
          sizes.backward = seed % 3 == 0;
          sizes.biases = seed % 5 != 0;
          sizes.initial = seed % 7 != 0;
          sizes.token_first = seed % 4 == 1;
          RecurrentLayer layer(kind, sizes, seed);
          ASSERT_TRUE(layer.agrees()) << "cell " << static_cast<int>(kind) << ", B " << batch << ", T " << tokens << ", Hd "
                                      << hidden << ", seed " << seed;
        }
}

TEST(Recurrent, AnUpdateGateThatReplacesAgreesWithTheDefinition) {
  std::uint64_t seed = 500;
  for (const RecurrentCell kind : {RecurrentCell::Gru, RecurrentCell::GruResetBefore})
    for (const std::size_t batch : {1u, 3u, 5u})
      for (const std::size_t hidden : {1u, 5u, 8u, 33u}) {
        RecurrentLayer layer(kind, {.batch = batch, .tokens = 6, .hidden = hidden, .directions = 2}, ++seed);
        layer.lengths.assign(batch, 5);
        RecurrentLayer keeps = layer;
        layer.args.update_replaces = true;
        ASSERT_TRUE(layer.agrees()) << "cell " << static_cast<int>(kind) << ", B " << batch << ", Hd " << hidden;
        ASSERT_EQ(keeps.run(), Status::Ok);
        ASSERT_FALSE(same_bits(layer.results(), keeps.results()));
      }
}

TEST(Recurrent, AProjectedStateAgreesWithTheDefinition) {
  std::uint64_t seed = 1000;
  for (const std::size_t batch : {1u, 3u, 5u})
    for (const std::size_t hidden : {1u, 8u, 33u})
      for (const std::size_t projected : {1u, 3u, 9u, 40u}) {
        ++seed;
        RecurrentSizes sizes{.batch = batch,
                             .tokens = 6,
                             .hidden = hidden,
                             .projected = projected,
                             .directions = static_cast<std::size_t>(1 + seed % 2)};
        RecurrentLayer layer(RecurrentCell::Lstm, sizes, seed);
        layer.lengths.assign(batch, 4);
        ASSERT_TRUE(layer.agrees()) << "B " << batch << ", Hd " << hidden << ", P " << projected;
      }
}

TEST(Recurrent, LongSequencesPassFromOneChunkOfInputsToTheNext) {
  // 600 tokens of 5 sequences and 4·64 gates are 768,000 numbers: more than are computed ahead at once.
  for (const RecurrentCell kind : {RecurrentCell::Lstm, RecurrentCell::GruResetBefore}) {
    RecurrentLayer layer(kind, {.batch = 5, .tokens = 600, .hidden = 64, .directions = 2}, 42);
    layer.lengths = {600, 1, 0, 599, 300};
    ASSERT_TRUE(layer.agrees());
  }
}

TEST(Recurrent, LengthsAreSequencesOfTheirOwn) {
  std::uint64_t seed = 2000;
  for (const RecurrentCell kind : kCells)
    for (const std::size_t directions : {1u, 2u}) {
      RecurrentSizes sizes{.batch = 5, .tokens = 9, .hidden = 6, .directions = directions, .token_first = seed % 2 == 0};
      RecurrentLayer layer(kind, sizes, ++seed);
      layer.lengths = {9, 0, 1, 5, 8};
      ASSERT_EQ(layer.run(), Status::Ok);
      const std::size_t wide = directions * 6;
      const std::vector<float> all = layer.results();
      for (std::size_t b = 0; b < 5; ++b) {
        RecurrentLayer one = layer.alone(b);
        ASSERT_EQ(one.run(), Status::Ok);
        const auto length = static_cast<std::size_t>(layer.lengths[b]);
        const std::span<const float> rows(all.data() + b * 9 * wide, 9 * wide);
        EXPECT_TRUE(same_bits(rows.subspan(0, length * wide), one.output)) << b;
        EXPECT_TRUE(all_zero(rows.subspan(length * wide))) << b;
        for (std::size_t d = 0; d < directions; ++d) {
          const std::span<const float> states(layer.hidden);
          EXPECT_TRUE(same_bits(states.subspan((d * 5 + b) * 6, 6), std::span<const float>(one.hidden).subspan(d * 6, 6)));
        }
      }
    }
}

TEST(Recurrent, ASequenceOfNoTokensKeepsItsInitialState) {
  for (const RecurrentCell kind : kCells) {
    RecurrentLayer none(kind, {.batch = 2, .tokens = 0}, 5), padded(kind, {.batch = 2, .tokens = 3}, 5);
    padded.lengths = {0, 0};
    for (RecurrentLayer* const layer : {&none, &padded}) {
      ASSERT_EQ(layer->run(), Status::Ok);
      const RecurrentDirection& direction = layer->args.directions[0];
      EXPECT_TRUE(same_bits(layer->hidden, {direction.initial_hidden, 10}));
      EXPECT_TRUE(all_zero(layer->output));
      if (kind == RecurrentCell::Lstm) {
        EXPECT_TRUE(same_bits(layer->cell, {direction.initial_cell, 10}));
      }
    }
  }
}

TEST(Recurrent, StepsThatPassTheStateOnGiveTheBitsOfTheWhole) {
  for (const RecurrentCell kind : kCells) {
    for (const std::size_t batch : {1u, 2u, 3u, 6u}) {
      RecurrentLayer whole(kind, {.batch = batch, .tokens = 7, .hidden = 9, .token_first = true}, 77);
      ASSERT_EQ(whole.run(), Status::Ok);
      RecurrentLayer step = whole;
      step.args.tokens = 1;
      std::vector<float> h, c;
      for (std::size_t t = 0; t < 7; ++t) {
        step.x.assign(whole.x.begin() + static_cast<std::ptrdiff_t>(t * batch * 3),
                      whole.x.begin() + static_cast<std::ptrdiff_t>((t + 1) * batch * 3));
        ASSERT_EQ(step.run(), Status::Ok);
        EXPECT_TRUE(same_bits(step.output, std::span<const float>(whole.output).subspan(t * batch * 9, batch * 9))) << t;
        h = step.hidden;
        c = step.cell;
        step.args.directions[0].initial_hidden = h.data();
        step.args.directions[0].initial_cell = c.data();
      }
      EXPECT_TRUE(same_bits(step.hidden, whole.hidden));
      EXPECT_TRUE(same_bits(step.cell, whole.cell));
    }
  }
}

TEST(Recurrent, WithoutInputTheBiasesDrive) {
  for (const RecurrentCell kind : kCells) {
    RecurrentLayer layer(kind, {.batch = 1, .tokens = 12, .width = 0, .hidden = 7}, 3);
    ASSERT_TRUE(layer.agrees());
  }
}

TEST(Recurrent, NonfiniteInputsReachNoOtherSequence) {
  for (const RecurrentCell kind : kCells) {
    for (const float loud : {kNan, kInfinity, -kInfinity}) {
      for (std::size_t at = 0; at < 6; ++at) {
        RecurrentLayer clean(kind, {.batch = 6, .tokens = 4, .hidden = 5, .directions = 2}, 9), dirty = clean;
        ASSERT_EQ(clean.run(), Status::Ok);
        dirty.x[(at * 4 + 2) * 3 + 1] = loud;
        ASSERT_EQ(dirty.run(), Status::Ok);
        for (std::size_t b = 0; b < 6; ++b) {
          const auto rows = [&](const RecurrentLayer& layer) {
            return std::span<const float>(layer.output).subspan(b * 40, 40);
          };
          if (b != at) {
            EXPECT_TRUE(same_bits(rows(dirty), rows(clean)));
          } else {
            EXPECT_TRUE(same_bits(rows(dirty).subspan(0, 5), rows(clean).subspan(0, 5)));  // forward, before it
            EXPECT_FALSE(same_bits(rows(dirty), rows(clean)));
            if (std::isnan(loud)) {
              EXPECT_TRUE(all_nan(rows(dirty).subspan(20, 5)));  // at it
            }
          }
        }
      }
    }
  }
}

TEST(Recurrent, PaddingIsNeverReadIntoAResult) {
  for (const RecurrentCell kind : kCells) {
    RecurrentLayer clean(kind, {.batch = 3, .tokens = 5, .directions = 2}, 10);
    clean.lengths = {5, 2, 0};
    RecurrentLayer dirty = clean;
    for (std::size_t b = 1; b < 3; ++b)
      for (std::size_t t = b == 1 ? 2 : 0; t < 5; ++t) dirty.x[(b * 5 + t) * 3] = b == 1 ? kNan : kHuge;
    ASSERT_EQ(clean.run(), Status::Ok);
    ASSERT_EQ(dirty.run(), Status::Ok);
    EXPECT_TRUE(same_bits(dirty.results(), clean.results()));
  }
}

TEST(Recurrent, AnyNumberOfThreadsGivesTheSameBits) {
  for (const RecurrentCell kind : {RecurrentCell::Relu, RecurrentCell::Gru, RecurrentCell::Lstm}) {
    for (const std::size_t batch : {1u, 3u, 13u}) {
      RecurrentLayer alone(kind, {.batch = batch, .tokens = 40, .hidden = 64, .directions = 2}, batch), shared = alone;
      ASSERT_EQ(alone.run(), Status::Ok);
      for (const std::size_t threads : {2u, 5u}) {
        ThreadPool pool;
        ASSERT_EQ(pool.start(threads), kHasThreads ? threads : 1u);
        ASSERT_EQ(shared.run(0, kPoison, &pool), Status::Ok);
        EXPECT_TRUE(same_bits(shared.results(), alone.results())) << batch << " sequences, " << threads << " threads";
      }
    }
  }
}

TEST(Recurrent, WhatTheWorkspaceHeldBeforeReachesNothing) {
  for (const RecurrentCell kind : kCells) {
    RecurrentLayer first(kind, {.batch = 3, .hidden = 5}, 12), second = first;
    ASSERT_EQ(first.run(0, kNan), Status::Ok);
    ASSERT_EQ(second.run(0, kHuge), Status::Ok);
    EXPECT_TRUE(same_bits(first.results(), second.results()));
  }
}

TEST(Recurrent, AWorkspaceThatIsTooSmallIsAMemoryErrorAndNothingIsWritten) {
  RecurrentLayer layer(RecurrentCell::Lstm, {.batch = 2}, 13);
  layer.prepare();
  const std::size_t needed = floats_of(recurrent_workspace_bytes(layer.args));
  for (const std::size_t short_by : {std::size_t{1}, needed / 2, needed}) {
    EXPECT_EQ(layer.run(short_by), Status::Memory);
    EXPECT_TRUE(all_poison(layer.results()));
  }
}

TEST(Recurrent, ArgumentsThatDoNotMeetAreAShapeError) {
  const auto refused = [](auto change) {
    RecurrentLayer layer(RecurrentCell::Gru, {.batch = 2}, 14);
    layer.lengths = {1, 2};
    change(layer);
    const Status status = layer.run();
    return status == Status::Shape && is_poison(layer.output[0]);
  };
  EXPECT_TRUE(refused([](RecurrentLayer& layer) { layer.args.hidden = 0; }));
  EXPECT_TRUE(refused([](RecurrentLayer& layer) { layer.args.state = 3; }));
  EXPECT_TRUE(refused([](RecurrentLayer& layer) { layer.args.directions[0].weight_hr = layer.args.directions[0].weight_hh; }));
  EXPECT_TRUE(refused([](RecurrentLayer& layer) { layer.lengths = {-1, 2}; }));
  EXPECT_TRUE(refused([](RecurrentLayer& layer) { layer.lengths = {1, 5}; }));
}

TEST(Recurrent, AWorkspaceBeyondWhatMemoryHasIsNotWrappedAround) {
  RecurrentArgs args;
  args.cell = RecurrentCell::Lstm;
  args.batch = args.hidden = args.state = std::size_t{1} << 20;  // their products alone have 2^42 floats
  args.direction_count = 1;
  EXPECT_GE(recurrent_workspace_bytes(args), std::uint64_t{1} << 44);
  args.tokens = args.width = std::size_t{1} << 30;
  EXPECT_GE(recurrent_workspace_bytes(args), std::uint64_t{1} << 52);
}

}  // namespace fovea::test
