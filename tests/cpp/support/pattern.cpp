#include "support/pattern.hpp"

#include <bit>
#include <numeric>

namespace fovea::test {
namespace {

std::int32_t to_word(std::size_t n) { return static_cast<std::int32_t>(n); }

void append(Program& to, const Program& from) { to.insert(to.end(), from.begin(), from.end()); }

Program with_count(PatternOp op, const std::vector<Program>& nodes) {
  Program operands = {to_word(nodes.size())};
  for (const Program& one : nodes) append(operands, one);
  return node(op, operands);
}

TableShape draw_shape(const PatternSizes& sizes, Random& random) {
  TableShape shape;
  shape.batches = random.chance(0.5) ? sizes.batch : 1;
  shape.heads = random.chance(0.5) ? sizes.heads : 1;
  shape.rows = random.chance(0.6) ? sizes.queries : random.size(0, sizes.queries + 5);
  shape.columns = random.chance(0.6) ? sizes.keys : random.size(0, sizes.keys + 40);
  return shape;
}

Program draw_lists(const PatternSizes& sizes, Random& random) {
  const TableShape shape = draw_shape(sizes, random);
  std::vector<std::vector<std::int32_t>> keys(shape.all_rows());
  std::vector<float> bias;
  const bool biased = random.chance(0.4);
  const double kept = random.chance(0.5) ? 0.05 : 0.5;
  for (auto& list : keys)
    for (std::size_t column = 0; column < shape.columns; ++column) {
      if (!random.chance(kept)) continue;
      list.push_back(to_word(column));
      // Quarters: sums with what else is added are exact.
      if (biased) bias.push_back(0.25f * static_cast<float>(random.integer(-8, 8)));
    }
  return lists(shape, keys, bias, random.chance(0.5) ? CsrKind::Graph : CsrKind::Pairs);
}

Program draw_buckets(const PatternSizes& sizes, Random& random) {
  const TableShape shape = draw_shape(sizes, random);
  const auto count = static_cast<std::int32_t>(random.size(1, std::max<std::size_t>(2, sizes.queries / 12)));
  const auto draw = [&](std::size_t n) {
    std::vector<std::int32_t> of(n);
    for (std::int32_t& bucket : of) bucket = static_cast<std::int32_t>(random.integer(0, count - 1));
    return of;
  };
  const std::vector<std::int32_t> of_rows = draw(shape.all_rows());
  return buckets(shape, count, of_rows, draw(shape.batches * shape.heads * shape.columns));
}

Program draw_axial(const PatternSizes& sizes, Random& random) {
  const std::size_t length = random.size(1, 12), stride = random.chance(0.4) ? 1 : random.size(1, 9);
  const std::size_t most = std::max(sizes.queries, sizes.keys) / (length * stride) + 1;
  return axial(to_word(length * stride * random.size(0, most)), to_word(length), to_word(stride));
}

Program draw_neighbors(const PatternSizes& sizes, Random& random) {
  const std::size_t width = random.size(1, 13);
  return neighbors(to_word(random.size(0, std::max(sizes.queries, sizes.keys) / width + 2)), to_word(width),
                   to_word(random.size(0, 3)), to_word(random.size(0, 4)), random.chance(0.5) ? 0 : to_word(random.size(1, 5)));
}

Program draw_global(const PatternSizes& sizes, Random& random) {
  std::vector<std::int32_t> indices;
  for (std::size_t n = 0; n < std::max(sizes.queries, sizes.keys) + 3; ++n) {
    if (random.chance(0.05)) indices.push_back(to_word(n));
  }
  return global_tokens(indices);
}

Program draw_segments(const PatternSizes& sizes, Random& random) {
  std::vector<std::int32_t> lengths(random.size(1, 6));
  for (std::int32_t& length : lengths) length = to_word(random.size(0, sizes.keys));
  return segments(lengths);
}

}  // namespace

Program node(PatternOp op, const Program& operands) {
  Program words = {static_cast<std::int32_t>(op), to_word(operands.size() + 2)};
  append(words, operands);
  return words;
}

Program segments(const std::vector<std::int32_t>& lengths) {
  Program operands = {to_word(lengths.size()), 0};
  for (const std::int32_t length : lengths) operands.push_back(operands.back() + length);
  return node(PatternOp::Segments, operands);
}

Program global_tokens(const std::vector<std::int32_t>& indices) {
  Program operands = {to_word(indices.size())};
  append(operands, indices);
  return node(PatternOp::Global, operands);
}

Program random_keys(std::int32_t per_query, std::int32_t block, std::uint64_t seed) {
  return node(PatternOp::Random, {per_query, block, static_cast<std::int32_t>(static_cast<std::uint32_t>(seed)),
                                  static_cast<std::int32_t>(seed >> 32)});
}

Program lists(const TableShape& shape, const std::vector<std::vector<std::int32_t>>& keys, const std::vector<float>& bias,
              CsrKind kind) {
  Program indptr = {0}, indices;
  for (const auto& list : keys) {
    append(indices, list);
    indptr.push_back(to_word(indices.size()));
  }
  Program operands = {to_word(shape.batches),  to_word(shape.heads),
                      to_word(shape.rows),     to_word(shape.columns),
                      to_word(indices.size()), static_cast<std::int32_t>(bias.empty() ? kind : CsrKind::Biased)};
  append(operands, indptr);
  append(operands, indices);
  for (const float b : bias) operands.push_back(std::bit_cast<std::int32_t>(b));
  return node(PatternOp::Csr, operands);
}

Program buckets(const TableShape& shape, std::int32_t count, const std::vector<std::int32_t>& of_rows,
                const std::vector<std::int32_t>& of_columns) {
  Program operands = {to_word(shape.batches), to_word(shape.heads), to_word(shape.rows), to_word(shape.columns), count};
  append(operands, of_rows);
  Program members;
  for (std::size_t entry = 0; entry < shape.batches * shape.heads; ++entry) {
    operands.push_back(0);
    const auto first = to_word(members.size());
    for (std::int32_t bucket = 0; bucket < count; ++bucket) {
      for (std::size_t column = 0; column < shape.columns; ++column) {
        if (of_columns[entry * shape.columns + column] == bucket) members.push_back(to_word(column));
      }
      operands.push_back(to_word(members.size()) - first);
    }
  }
  append(operands, members);
  return node(PatternOp::Buckets, operands);
}

Program or_(const std::vector<Program>& nodes) { return with_count(PatternOp::Or, nodes); }
Program and_(const std::vector<Program>& nodes) { return with_count(PatternOp::And, nodes); }
Program heads(const std::vector<Program>& nodes) { return with_count(PatternOp::PerHead, nodes); }

std::vector<PatternOp> leaf_ops() {
  std::vector<PatternOp> ops;
  for (auto op = static_cast<std::int32_t>(PatternOp::All); op < static_cast<std::int32_t>(PatternOp::Or); ++op) {
    ops.push_back(static_cast<PatternOp>(op));
  }
  return ops;
}

Program draw_leaf(PatternOp op, const PatternSizes& sizes, Random& random) {
  const auto reach = [&](std::size_t most) {
    return static_cast<std::int32_t>(random.integer(-1, static_cast<std::int64_t>(most)));
  };
  switch (op) {
    case PatternOp::Band: {
      const std::int32_t left = reach(sizes.keys / (random.chance(0.5) ? 1 : 8));
      return band(left, reach(sizes.keys / (random.chance(0.5) ? 1 : 8)));
    }
    case PatternOp::Atrous: return atrous(to_word(random.size(1, std::max<std::size_t>(3, sizes.keys / 10))));
    case PatternOp::Blocks: {
      const std::int32_t size = to_word(random.size(1, sizes.keys / 2 + 2)), left = reach(2);
      return blocks(size, left, reach(2));
    }
    case PatternOp::Segments: return draw_segments(sizes, random);
    case PatternOp::PeriodicKeys: {
      const std::size_t period = random.size(1, 20), from = random.size(0, period - 1);
      return columns(to_word(period), to_word(from), to_word(random.size(from + 1, period)));
    }
    case PatternOp::Global: return draw_global(sizes, random);
    case PatternOp::Random: {
      const std::int32_t block = to_word(random.chance(0.5) ? 1 : random.size(1, 20));
      return random_keys(to_word(random.size(1, 9)), block, random.bits() >> 11);
    }
    case PatternOp::Axial: return draw_axial(sizes, random);
    case PatternOp::Neighbors: return draw_neighbors(sizes, random);
    case PatternOp::Csr: return draw_lists(sizes, random);
    case PatternOp::Bitmask: {
      const double kept = random.chance(0.5) ? 0.1 : 0.7;
      return bits(draw_shape(sizes, random), [&](std::size_t, std::size_t) { return random.chance(kept); });
    }
    case PatternOp::Buckets: return draw_buckets(sizes, random);
    default: return all();
  }
}

Program draw_pattern(const PatternSizes& sizes, Random& random, int depth) {
  const std::int64_t kind = depth <= 1 ? 0 : random.integer(0, 9);
  const auto draw = [&](std::size_t count) {
    std::vector<Program> nodes;
    for (std::size_t n = 0; n < count; ++n) nodes.push_back(draw_pattern(sizes, random, depth - 1));
    return nodes;
  };
  if (kind >= 7) return or_(draw(random.size(1, 4)));
  if (kind >= 5) return and_(draw(random.size(1, 3)));
  if (kind == 4) return not_(draw_pattern(sizes, random, depth - 1));
  if (kind == 3) return heads(draw(sizes.heads));
  return draw_leaf(random.pick(leaf_ops()), sizes, random);
}

}  // namespace fovea::test
