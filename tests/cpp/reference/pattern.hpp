#pragma once
/// Patterns as they are defined (src/attention/pattern/program.hpp): whether one pair is allowed, by the words of one node
/// after another.

#include <array>
#include <bit>
#include <set>

#include "core/random.hpp"
#include "support/pattern.hpp"

namespace fovea::test {

/// One pair: the query's position and a key, as batch entry b and query head h see them, of Tk keys.
struct PatternPair {
  std::int64_t p, j;
  std::size_t b, h, keys;
};

inline std::int64_t floor_of(std::int64_t a, std::int64_t b) {
  std::int64_t quotient = a / b;
  if (quotient * b > a) --quotient;
  return quotient;
}

/// Floyd's sample of the key blocks, as a set.
inline std::set<std::int64_t> draw_blocks(const std::int32_t* x, const PatternPair& pair) {
  const std::int64_t n = (static_cast<std::int64_t>(pair.keys) + x[1] - 1) / x[1], r = std::min<std::int64_t>(x[0], n);
  const Seed seed = {static_cast<std::uint32_t>(x[2]), static_cast<std::uint32_t>(x[3])};
  std::set<std::int64_t> drawn;
  for (std::int64_t s = 0; s < r; ++s) {
    const std::uint32_t word =
        philox(seed, static_cast<std::uint32_t>(s / 4), static_cast<std::uint32_t>(floor_of(pair.p, x[1])),
               static_cast<std::uint32_t>(pair.h), Stream::Pattern)[static_cast<std::size_t>(s % 4)];
    const std::int64_t t = n - r + s;
    const double unit = (static_cast<double>(word >> 9) + 0.5) * 0x1p-23;
    const auto u = static_cast<std::int64_t>(std::floor(unit * static_cast<double>(t + 1)));
    drawn.insert(drawn.contains(u) ? t : u);
  }
  return drawn;
}

/// The sample that was asked for last is kept: one after another, the pairs of a row ask for the same.
inline const std::set<std::int64_t>& drawn_blocks(const std::int32_t* x, const PatternPair& pair) {
  using Key = std::array<std::int64_t, 7>;
  thread_local Key of = {-1};
  thread_local std::set<std::int64_t> drawn;
  const Key asked = {
      x[0], x[1], x[2], x[3], floor_of(pair.p, x[1]), static_cast<std::int64_t>(pair.h), static_cast<std::int64_t>(pair.keys)};
  if (asked != of) {
    drawn = draw_blocks(x, pair);
    of = asked;
  }
  return drawn;
}

/// The row of the tables of Lists, Bits or Buckets; -1 for a position outside of them.
inline std::int64_t table_row_of(const std::int32_t* x, const PatternPair& pair) {
  if (pair.p < 0 || pair.p >= x[2]) return -1;
  const auto b = static_cast<std::int64_t>(x[0] > 1 ? pair.b : 0), h = static_cast<std::int64_t>(x[1] > 1 ? pair.h : 0);
  return (b * x[1] + h) * x[2] + pair.p;
}

/// The pair's place among all pairs of a Lists, or -1.
inline std::int64_t listed_at(const std::int32_t* x, const PatternPair& pair) {
  const std::int64_t row = table_row_of(x, pair), rows = std::int64_t{x[0]} * x[1] * x[2];
  if (row < 0) return -1;
  const std::int32_t *const indptr = x + 6, *const indices = indptr + rows + 1;
  for (std::int64_t n = indptr[row]; n < indptr[row + 1]; ++n) {
    if (indices[n] == pair.j) return n;
  }
  return -1;
}

inline bool shares_bucket(const std::int32_t* x, const PatternPair& pair) {
  const std::int64_t row = table_row_of(x, pair);
  if (row < 0) return false;
  const std::int64_t entries = std::int64_t{x[0]} * x[1], entry = row / x[2], bucket = x[5 + row];
  const std::int32_t* const starts = x + 5 + entries * x[2];
  const std::int32_t* const members = starts + entries * (x[4] + 1) + entry * x[3];
  const std::int32_t* const range = starts + entry * (x[4] + 1) + bucket;
  return std::find(members + range[0], members + range[1], pair.j) != members + range[1];
}

inline bool leaf_allows(PatternOp op, const std::int32_t* x, const PatternPair& pair) {
  const auto& [p, j, b, h, keys] = pair;
  const auto is_inside = [](std::int64_t n, std::int64_t size) { return 0 <= n && n < size; };
  switch (op) {
    case PatternOp::Band: return (x[0] < 0 || j >= p - x[0]) && (x[1] < 0 || j <= p + x[1]);
    case PatternOp::Atrous: return (p - j) % x[0] == 0;
    case PatternOp::Blocks: {
      const std::int64_t ours = floor_of(p, x[0]), theirs = floor_of(j, x[0]);
      return (x[1] < 0 || theirs >= ours - x[1]) && (x[2] < 0 || theirs <= ours + x[2]);
    }
    case PatternOp::Segments:
      for (std::int32_t t = 0; t < x[0]; ++t) {
        if (x[1 + t] <= p && p < x[2 + t]) return x[1 + t] <= j && j < x[2 + t];
      }
      return false;
    case PatternOp::PeriodicKeys: return x[1] <= j % x[0] && j % x[0] < x[2];
    case PatternOp::Global:
      return std::any_of(x + 1, x + 1 + x[0],
                         [query = p, key = j](std::int32_t index) { return index == query || index == key; });
    case PatternOp::Random: return drawn_blocks(x, pair).contains(j / x[1]);
    case PatternOp::Axial:
      return is_inside(p, x[0]) && is_inside(j, x[0]) && p / (std::int64_t{x[1]} * x[2]) == j / (std::int64_t{x[1]} * x[2]) &&
             p % x[2] == j % x[2];
    case PatternOp::Neighbors: {
      const std::int64_t prefix = x[4], size = prefix + std::int64_t{x[0]} * x[1], from = p - prefix, to = j - prefix;
      if (!is_inside(p, size) || !is_inside(j, size)) return false;
      return from < 0 || to < 0 || (std::abs(from / x[1] - to / x[1]) <= x[2] && std::abs(from % x[1] - to % x[1]) <= x[3]);
    }
    case PatternOp::Csr: return listed_at(x, pair) >= 0;
    case PatternOp::Bitmask: {
      const std::int64_t row = table_row_of(x, pair);
      return row >= 0 && j < x[3] && (static_cast<std::uint32_t>(x[4 + row * ((x[3] + 31) / 32) + j / 32]) >> j % 32 & 1) != 0;
    }
    case PatternOp::Buckets: return shares_bucket(x, pair);
    default: return op == PatternOp::All;
  }
}

/// Whether the node at `words` allows the pair.
inline bool allows(const std::int32_t* words, const PatternPair& pair) {
  const auto op = static_cast<PatternOp>(words[0]);
  if (op < PatternOp::Or) return leaf_allows(op, words + 2, pair);
  if (op == PatternOp::Not) return !allows(words + 2, pair);
  const std::int32_t* child = words + 3;
  for (std::int32_t n = 0; n < words[2]; ++n, child += child[1]) {
    if (op == PatternOp::PerHead && static_cast<std::size_t>(n) == pair.h) return allows(child, pair);
    if (op == PatternOp::Or && allows(child, pair)) return true;
    if (op == PatternOp::And && !allows(child, pair)) return false;
  }
  return op == PatternOp::And;
}

inline bool allows(const Program& program, std::int64_t p, std::int64_t j, std::size_t b, std::size_t h, std::size_t keys) {
  return allows(program.data(), {p, j, b, h, keys});
}

/// The bias that lists add to the pair's logit; lists in a complement add none, as they say only what is allowed. `edges`: the
/// values of a graph's edges for the pair's batch entry and head; null where there are none.
inline float bias_of(const std::int32_t* words, const PatternPair& pair, const float* edges = nullptr) {
  const auto op = static_cast<PatternOp>(words[0]);
  if (op == PatternOp::Not) return 0;
  if (op < PatternOp::Or) {
    const auto kind = op == PatternOp::Csr ? static_cast<CsrKind>(words[7]) : CsrKind::Pairs;
    if (kind == CsrKind::Pairs || (kind == CsrKind::Graph && edges == nullptr)) return 0;
    const std::int32_t* const x = words + 2;
    const std::int64_t at = listed_at(x, pair), rows = std::int64_t{x[0]} * x[1] * x[2];
    if (kind == CsrKind::Graph) return at < 0 ? 0 : edges[at];
    return at < 0 ? 0 : std::bit_cast<float>(x[6 + rows + 1 + x[4] + at]);
  }
  float sum = 0;
  const std::int32_t* child = words + 3;
  for (std::int32_t n = 0; n < words[2]; ++n, child += child[1]) {
    if (op != PatternOp::PerHead || static_cast<std::size_t>(n) == pair.h) sum += bias_of(child, pair, edges);
  }
  return sum;
}

inline bool has_bias(const std::int32_t* words, bool edges = false) {
  const auto op = static_cast<PatternOp>(words[0]);
  if (op < PatternOp::Or) {
    const auto kind = op == PatternOp::Csr ? static_cast<CsrKind>(words[7]) : CsrKind::Pairs;
    return kind == CsrKind::Biased || (kind == CsrKind::Graph && edges);
  }
  const std::int32_t* child = op == PatternOp::Not ? words + 2 : words + 3;
  bool any = false;
  for (std::int32_t n = 0; n < (op == PatternOp::Not ? 1 : words[2]); ++n, child += child[1])
    any = any || has_bias(child, edges);
  return any;
}

}  // namespace fovea::test
