#include "ops/recurrent.hpp"

#include "reference/recurrent.hpp"
#include "support/random.hpp"
#include "support/scratch.hpp"

namespace fovea::test {
namespace {

constexpr RecurrentCell kCells[] = {RecurrentCell::Tanh, RecurrentCell::Relu, RecurrentCell::Gru, RecurrentCell::GruResetBefore,
                                    RecurrentCell::Lstm};

struct Sizes {
  std::size_t batch = 1, tokens = 4, width = 3, hidden = 5;
  std::size_t projected = 0;  // P where it is not Hd
  std::size_t directions = 1;
  bool backward = false;  // of a single direction
  bool biases = true, initial = true, token_first = false;
};

/// One call with its arrays, drawn from a seed.
struct Layer {
  Sizes sizes;
  RecurrentArgs args;
  std::vector<float> x, output, hidden, cell;
  std::vector<std::int32_t> lengths;
  std::vector<std::vector<float>> weights;

  Layer(RecurrentCell kind, Sizes of, std::uint64_t seed) : sizes(of) {
    Random random(seed);
    const std::size_t gates = kind == RecurrentCell::Lstm ? 4 : kind >= RecurrentCell::Gru ? 3 : 1;
    const std::size_t state = of.projected != 0 ? of.projected : of.hidden, rows = gates * of.hidden;
    args.cell = kind;
    args.batch = of.batch;
    args.tokens = of.tokens;
    args.width = of.width;
    args.hidden = of.hidden;
    args.state = state;
    args.direction_count = of.directions;
    const auto draw = [&](std::size_t count, double size) {
      std::vector<float>& made = weights.emplace_back(count);
      for (float& value : made) value = static_cast<float>(size) * random.normal();
      return made.data();
    };
    weights.reserve(20);
    const double small = 1 / std::sqrt(static_cast<double>(state));
    for (std::size_t d = 0; d < of.directions; ++d) {
      RecurrentDirection& direction = args.directions[d];
      direction.backward = of.directions == 2 ? d == 1 : of.backward;
      direction.weight_ih = draw(rows * of.width, 1 / std::sqrt(static_cast<double>(std::max<std::size_t>(of.width, 1))));
      direction.weight_hh = draw(rows * state, kind == RecurrentCell::Relu ? 0.5 * small : small);
      if (of.biases) direction.bias_ih = draw(rows, 0.3);
      if (of.biases) direction.bias_hh = draw(rows, 0.3);
      if (of.projected != 0) direction.weight_hr = draw(state * of.hidden, 0.5);
      if (of.initial) direction.initial_hidden = draw(of.batch * state, 1);
      if (of.initial && kind == RecurrentCell::Lstm) direction.initial_cell = draw(of.batch * of.hidden, 1);
    }
    x.resize(of.batch * of.tokens * of.width);
    for (float& value : x) value = random.normal();
  }

  /// Points at what copying has moved, and puts poison where results go.
  void prepare() {
    const std::size_t wide = args.direction_count * args.state;
    const auto order = [&](std::size_t row, std::ptrdiff_t& batch, std::ptrdiff_t& token) {
      batch = static_cast<std::ptrdiff_t>(sizes.token_first ? row : args.tokens * row);
      token = static_cast<std::ptrdiff_t>(sizes.token_first ? args.batch * row : row);
    };
    order(args.width, args.x_batch, args.x_token);
    order(wide, args.output_batch, args.output_token);
    output.assign(args.batch * args.tokens * wide, kPoison);
    hidden.assign(args.direction_count * args.batch * args.state, kPoison);
    cell.assign(args.cell == RecurrentCell::Lstm ? args.direction_count * args.batch * args.hidden : 0, kPoison);
    args.x = x.data();
    args.output = output.data();
    args.lengths = lengths.empty() ? nullptr : lengths.data();
    for (std::size_t d = 0; d < args.direction_count; ++d) {
      args.directions[d].hidden = hidden.data() + d * args.batch * args.state;
      args.directions[d].cell = cell.empty() ? nullptr : cell.data() + d * args.batch * args.hidden;
    }
  }

  Status run(std::size_t short_by = 0, float filler = kNan, ThreadPool* pool = nullptr) {
    prepare();
    Scratch scratch(recurrent_workspace_bytes(args, threads_of(pool)), short_by, filler);
    const Status status = recurrent(args, scratch.workspace(), pool);
    EXPECT_TRUE(scratch.guard_intact());
    return status;
  }

  /// Output in the order b, t, then the last states: as the reference gives them.
  std::vector<float> results() const {
    const std::size_t wide = args.direction_count * args.state;
    std::vector<float> all;
    for (std::size_t b = 0; b < args.batch; ++b)
      for (std::size_t t = 0; t < args.tokens; ++t)
        for (std::size_t j = 0; j < wide; ++j)
          all.push_back(output[static_cast<std::size_t>(static_cast<std::ptrdiff_t>(b) * args.output_batch +
                                                        static_cast<std::ptrdiff_t>(t) * args.output_token) +
                               j]);
    all.insert(all.end(), hidden.begin(), hidden.end());
    all.insert(all.end(), cell.begin(), cell.end());
    return all;
  }

  testing::AssertionResult agrees() {
    if (const Status status = run(); status != Status::Ok) return testing::AssertionFailure() << to_string(status);
    return within_tolerance(results(), recurrent_ref(args));
  }

  /// Sequence b alone: a layer of batch 1 over its own tokens.
  Layer alone(std::size_t b) const {
    Layer one = *this;
    one.args.batch = 1;
    one.args.tokens = lengths.empty() ? args.tokens : static_cast<std::size_t>(lengths[b]);
    one.lengths.clear();
    one.sizes.token_first = false;
    one.x.clear();
    for (std::size_t t = 0; t < one.args.tokens; ++t)
      for (std::size_t i = 0; i < args.width; ++i)
        one.x.push_back(x[static_cast<std::size_t>(static_cast<std::ptrdiff_t>(b) * args.x_batch +
                                                   static_cast<std::ptrdiff_t>(t) * args.x_token) +
                          i]);
    for (std::size_t d = 0; d < args.direction_count; ++d) {
      RecurrentDirection& direction = one.args.directions[d];
      if (direction.initial_hidden != nullptr) direction.initial_hidden += b * args.state;
      if (direction.initial_cell != nullptr) direction.initial_cell += b * args.hidden;
    }
    return one;
  }
};

}  // namespace

TEST(Recurrent, EveryCellOfRaggedSizesAgreesWithTheDefinition) {
  std::uint64_t seed = 0;
  for (const RecurrentCell kind : kCells)
    for (const std::size_t batch : {1u, 2u, 3u, 4u, 7u})
      for (const std::size_t hidden : {1u, 5u, 8u, 33u, 64u})
        for (const std::size_t tokens : {1u, 2u, 7u}) {
          ++seed;
          Sizes sizes{.batch = batch, .tokens = tokens, .width = static_cast<std::size_t>(1 + seed % 9), .hidden = hidden};
          sizes.directions = 1 + seed % 2;
          sizes.backward = seed % 3 == 0;
          sizes.biases = seed % 5 != 0;
          sizes.initial = seed % 7 != 0;
          sizes.token_first = seed % 4 == 1;
          Layer layer(kind, sizes, seed);
          ASSERT_TRUE(layer.agrees()) << "cell " << static_cast<int>(kind) << ", B " << batch << ", T " << tokens << ", Hd "
                                      << hidden << ", seed " << seed;
        }
}

TEST(Recurrent, AnUpdateGateThatReplacesAgreesWithTheDefinition) {
  std::uint64_t seed = 500;
  for (const RecurrentCell kind : {RecurrentCell::Gru, RecurrentCell::GruResetBefore})
    for (const std::size_t batch : {1u, 3u, 5u})
      for (const std::size_t hidden : {1u, 5u, 8u, 33u}) {
        Layer layer(kind, {.batch = batch, .tokens = 6, .hidden = hidden, .directions = 2}, ++seed);
        layer.lengths.assign(batch, 5);
        Layer keeps = layer;
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
        Sizes sizes{.batch = batch,
                    .tokens = 6,
                    .hidden = hidden,
                    .projected = projected,
                    .directions = static_cast<std::size_t>(1 + seed % 2)};
        Layer layer(RecurrentCell::Lstm, sizes, seed);
        layer.lengths.assign(batch, 4);
        ASSERT_TRUE(layer.agrees()) << "B " << batch << ", Hd " << hidden << ", P " << projected;
      }
}

TEST(Recurrent, LongSequencesPassFromOneChunkOfInputsToTheNext) {
  // 600 tokens of 5 sequences and 4·64 gates are 768,000 numbers: more than are computed ahead at once.
  for (const RecurrentCell kind : {RecurrentCell::Lstm, RecurrentCell::GruResetBefore}) {
    Layer layer(kind, {.batch = 5, .tokens = 600, .hidden = 64, .directions = 2}, 42);
    layer.lengths = {600, 1, 0, 599, 300};
    ASSERT_TRUE(layer.agrees());
  }
}

TEST(Recurrent, LengthsAreSequencesOfTheirOwn) {
  std::uint64_t seed = 2000;
  for (const RecurrentCell kind : kCells)
    for (const std::size_t directions : {1u, 2u}) {
      Sizes sizes{.batch = 5, .tokens = 9, .hidden = 6, .directions = directions, .token_first = seed % 2 == 0};
      Layer layer(kind, sizes, ++seed);
      layer.lengths = {9, 0, 1, 5, 8};
      ASSERT_EQ(layer.run(), Status::Ok);
      const std::size_t wide = directions * 6;
      const std::vector<float> all = layer.results();
      for (std::size_t b = 0; b < 5; ++b) {
        Layer one = layer.alone(b);
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
    Layer none(kind, {.batch = 2, .tokens = 0}, 5), padded(kind, {.batch = 2, .tokens = 3}, 5);
    padded.lengths = {0, 0};
    for (Layer* const layer : {&none, &padded}) {
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
      Layer whole(kind, {.batch = batch, .tokens = 7, .hidden = 9, .token_first = true}, 77);
      ASSERT_EQ(whole.run(), Status::Ok);
      Layer step = whole;
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
    Layer layer(kind, {.batch = 1, .tokens = 12, .width = 0, .hidden = 7}, 3);
    ASSERT_TRUE(layer.agrees());
  }
}

TEST(Recurrent, NonfiniteInputsReachNoOtherSequence) {
  for (const RecurrentCell kind : kCells) {
    for (const float loud : {kNan, kInfinity, -kInfinity}) {
      for (std::size_t at = 0; at < 6; ++at) {
        Layer clean(kind, {.batch = 6, .tokens = 4, .hidden = 5, .directions = 2}, 9), dirty = clean;
        ASSERT_EQ(clean.run(), Status::Ok);
        dirty.x[(at * 4 + 2) * 3 + 1] = loud;
        ASSERT_EQ(dirty.run(), Status::Ok);
        for (std::size_t b = 0; b < 6; ++b) {
          const auto rows = [&](const Layer& layer) { return std::span<const float>(layer.output).subspan(b * 40, 40); };
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
    Layer clean(kind, {.batch = 3, .tokens = 5, .directions = 2}, 10);
    clean.lengths = {5, 2, 0};
    Layer dirty = clean;
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
      Layer alone(kind, {.batch = batch, .tokens = 40, .hidden = 64, .directions = 2}, batch), shared = alone;
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
    Layer first(kind, {.batch = 3, .hidden = 5}, 12), second = first;
    ASSERT_EQ(first.run(0, kNan), Status::Ok);
    ASSERT_EQ(second.run(0, kHuge), Status::Ok);
    EXPECT_TRUE(same_bits(first.results(), second.results()));
  }
}

TEST(Recurrent, AWorkspaceThatIsTooSmallIsAMemoryErrorAndNothingIsWritten) {
  Layer layer(RecurrentCell::Lstm, {.batch = 2}, 13);
  layer.prepare();
  const std::size_t needed = floats_of(recurrent_workspace_bytes(layer.args));
  for (const std::size_t short_by : {std::size_t{1}, needed / 2, needed}) {
    EXPECT_EQ(layer.run(short_by), Status::Memory);
    EXPECT_TRUE(all_poison(layer.results()));
  }
}

TEST(Recurrent, ArgumentsThatDoNotMeetAreAShapeError) {
  const auto refused = [](auto change) {
    Layer layer(RecurrentCell::Gru, {.batch = 2}, 14);
    layer.lengths = {1, 2};
    change(layer);
    const Status status = layer.run();
    return status == Status::Shape && is_poison(layer.output[0]);
  };
  EXPECT_TRUE(refused([](Layer& layer) { layer.args.hidden = 0; }));
  EXPECT_TRUE(refused([](Layer& layer) { layer.args.state = 3; }));
  EXPECT_TRUE(refused([](Layer& layer) { layer.args.directions[0].weight_hr = layer.args.directions[0].weight_hh; }));
  EXPECT_TRUE(refused([](Layer& layer) { layer.lengths = {-1, 2}; }));
  EXPECT_TRUE(refused([](Layer& layer) { layer.lengths = {1, 5}; }));
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
