#pragma once
/// Programs of patterns (src/attention/pattern/program.hpp), written node by node, and drawn at random.

#include "attention/pattern/program.hpp"
#include "support/random.hpp"

namespace fovea::test {

using Program = std::vector<std::int32_t>;

Program node(PatternOp op, const Program& operands);

inline Program all() { return node(PatternOp::All, {}); }
inline Program band(std::int32_t left, std::int32_t right) { return node(PatternOp::Band, {left, right}); }
inline Program atrous(std::int32_t k) { return node(PatternOp::Atrous, {k}); }
inline Program blocks(std::int32_t size, std::int32_t left, std::int32_t right) {
  return node(PatternOp::Blocks, {size, left, right});
}
/// One segment per length.
Program segments(const std::vector<std::int32_t>& lengths);
inline Program columns(std::int32_t period, std::int32_t from, std::int32_t to) {
  return node(PatternOp::PeriodicKeys, {period, from, to});
}
Program global_tokens(const std::vector<std::int32_t>& indices);
Program random_keys(std::int32_t per_query, std::int32_t block, std::uint64_t seed);
inline Program axial(std::int32_t size, std::int32_t length, std::int32_t stride) {
  return node(PatternOp::Axial, {size, length, stride});
}
inline Program neighbors(std::int32_t height, std::int32_t width, std::int32_t down, std::int32_t across,
                         std::int32_t prefix = 0) {
  return node(PatternOp::Neighbors, {height, width, down, across, prefix});
}

/// The tables of Lists, Bits and Buckets.
struct TableShape {
  std::size_t batches = 1, heads = 1, rows = 1, columns = 1;

  [[nodiscard]] std::size_t all_rows() const { return batches * heads * rows; }
};

/// Each list is ascending; `bias` is empty or one for every pair; `kind` is Graph for edges without biases of their own.
Program lists(const TableShape& shape, const std::vector<std::vector<std::int32_t>>& keys, const std::vector<float>& bias = {},
              CsrKind kind = CsrKind::Pairs);
/// `keeps(row of all rows, column)`
template <class Keeps>
Program bits(const TableShape& shape, Keeps keeps);
/// For each row of all rows, and each column of all batches and heads, its bucket.
Program buckets(const TableShape& shape, std::int32_t count, const std::vector<std::int32_t>& of_rows,
                const std::vector<std::int32_t>& of_columns);

Program or_(const std::vector<Program>& nodes);
Program and_(const std::vector<Program>& nodes);
inline Program not_(const Program& child) { return node(PatternOp::Not, child); }
Program heads(const std::vector<Program>& nodes);

/// The sizes that a drawn pattern is for.
struct PatternSizes {
  std::size_t batch = 1, heads = 1, queries = 1, keys = 1;
};

/// A leaf of this kind with sizes and tables around those of the call, some smaller, some larger.
Program draw_leaf(PatternOp op, const PatternSizes& sizes, Random& random);

/// Any tree of up to `depth` levels.
Program draw_pattern(const PatternSizes& sizes, Random& random, int depth = 3);

/// Every kind of leaf.
std::vector<PatternOp> leaf_ops();

template <class Keeps>
Program bits(const TableShape& shape, Keeps keeps) {
  const std::size_t words = (shape.columns + 31) / 32;
  std::vector<std::uint32_t> packed(shape.all_rows() * words);
  for (std::size_t row = 0; row < shape.all_rows(); ++row)
    for (std::size_t column = 0; column < shape.columns; ++column) {
      if (keeps(row, column)) packed[row * words + column / 32] |= std::uint32_t{1} << column % 32;
    }
  Program operands = {static_cast<std::int32_t>(shape.batches), static_cast<std::int32_t>(shape.heads),
                      static_cast<std::int32_t>(shape.rows), static_cast<std::int32_t>(shape.columns)};
  for (const std::uint32_t word : packed) operands.push_back(static_cast<std::int32_t>(word));
  return node(PatternOp::Bitmask, operands);
}

}  // namespace fovea::test
