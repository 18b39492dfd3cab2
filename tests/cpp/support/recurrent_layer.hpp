#pragma once
/// A recurrent layer with its arrays.

#include "ops/recurrent.hpp"
#include "reference/recurrent.hpp"
#include "support/random.hpp"
#include "support/scratch.hpp"

namespace fovea::test {

inline constexpr RecurrentCell kCells[] = {RecurrentCell::Tanh, RecurrentCell::Relu, RecurrentCell::Gru,
                                           RecurrentCell::GruResetBefore, RecurrentCell::Lstm};

struct RecurrentSizes {
  std::size_t batch = 1, tokens = 4, width = 3, hidden = 5;
  std::size_t projected = 0;  // P where it is not Hd
  std::size_t directions = 1;
  bool backward = false;  // of a single direction
  bool biases = true, initial = true, token_first = false;
};

/// One call with its arrays, drawn from a seed.
struct RecurrentLayer {
  RecurrentSizes sizes;
  RecurrentArgs args;
  std::vector<float> x, output, hidden, cell;
  std::vector<std::int32_t> lengths;
  std::vector<std::vector<float>> weights;

  RecurrentLayer(RecurrentCell kind, RecurrentSizes of, std::uint64_t seed) : sizes(of) {
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
  RecurrentLayer alone(std::size_t b) const {
    RecurrentLayer one = *this;
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

}  // namespace fovea::test
