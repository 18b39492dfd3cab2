#pragma once
/// One token of a recurrent layer: the products with the state and the gates behind them, for some of the sequences.

#include <cstddef>

#include "ops/recurrent.hpp"

namespace fovea {

/// The extents of one call. Gates and states are padded to whole panels.
struct RecurrentExtents {
  std::size_t gates = 0, columns = 0;  // G, and G Hd
  std::size_t padded = 0, state = 0;   // Hd and P, padded
  std::size_t product = 0;             // a row of products
  std::size_t ahead = 0;               // tokens whose W_ih x is computed at once
};

/// The buffers of one direction.
struct DirectionBuffers {
  float *weights, *bias, *projection;  // as panels, and padded
  float *h, *c, *product, *out;        // rows of the batch
  float *x, *input;                    // [ahead, B, I], and W_ih x + b_ih of it
};

/// One direction of sequences [first, last).
class RecurrentStep {
 public:
  RecurrentStep(const RecurrentArgs& args, const RecurrentExtents& e, const DirectionBuffers& lane, std::size_t direction,
                std::size_t first, std::size_t last) noexcept
      : args_(args), e_(e), lane_(lane), direction_(direction), first_(first), last_(last) {}

  /// Token t, whose inputs begin at `input`.
  void run(std::size_t t, const float* input) const noexcept;

 private:
  [[nodiscard]] bool is_padding(std::size_t b, std::size_t t) const noexcept {
    return args_.lengths != nullptr && static_cast<std::ptrdiff_t>(t) >= args_.lengths[b];
  }

  void multiply(const float* rows, std::size_t stride, std::size_t from_gate, std::size_t to_gate) const noexcept;
  void gates(std::size_t b, const float* input) const noexcept;
  void project(std::size_t t) const noexcept;
  void write(std::size_t b, std::size_t t) const noexcept;

  const RecurrentArgs& args_;
  const RecurrentExtents& e_;
  const DirectionBuffers& lane_;
  std::size_t direction_, first_, last_;
};

}  // namespace fovea
