#pragma once
/// A pattern: the set of (query, key) pairs that may attend, as a tree of 32-bit words in prefix form.
///   node = [op, words of the whole node, operands...]
/// p is the position of the query, j a key of [0, Tk), h the query head, b the batch entry. A leaf that has a size of its own
/// (Segments, Axial, Neighbors, Csr, Bitmask, Buckets) is indexed by p: a p outside of it has no keys.
///   All
///   Band        left, right                  p - left <= j <= p + right; -1 = unbounded
///   Atrous      k                            k divides p - j
///   Blocks      size, left, right            ⌊p/size⌋ - left <= ⌊j/size⌋ <= ⌊p/size⌋ + right; -1 = unbounded
///   Segments    n, boundaries[n + 1]         p and j in the same [s[t], s[t+1])
///   PeriodicKeys  period, from, to           from <= j mod period < to
///   Global      n, indices[n]                p or j is among them; ascending
///   Random      perQuery, block, seed[2]     ⌊j/block⌋ is drawn for (⌊p/block⌋, h), see leaves.cpp
///   Axial       size, length, stride         ⌊x/(length stride)⌋ and x mod stride are those of p for x = j
///   Neighbors   height, width, down, across, prefix   the grid begins behind `prefix` tokens; p or j is one of these, or rows and
///               columns of the grid are at most so far apart
///   Csr         batches, heads, rows, columns, pairs, CsrKind, indptr[batches heads rows + 1], indices[pairs],
///               bias[pairs] (float) if Biased         j is in the list of p; ascending. The bias is added to the logit.
///   Bitmask     batches, heads, rows, columns, words  bit j of the row of p; rows start on a word
///   Buckets     batches, heads, rows, columns, buckets, bucket_of[batches heads rows],
///               starts[batches heads (buckets + 1)], members[batches heads columns]    j is in the bucket of p; ascending
///   Or, And     n, nodes[n]
///   Not         node                         the complement within [0, Tk)
///   PerHead     n, nodes[n]                  node h

#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/status.hpp"

namespace fovea {

enum class PatternOp : std::int32_t {
  All,
  Band,
  Atrous,
  Blocks,
  Segments,
  PeriodicKeys,
  Global,
  Random,
  Axial,
  Neighbors,
  Csr,
  Bitmask,
  Buckets,
  Or,
  And,
  Not,
  PerHead,
};

/// Graph: its pairs are edges, for which a call may give biases of its own (EdgeBiases).
enum class CsrKind : std::int32_t { Pairs, Biased, Graph };

/// One node, read where it lies. Only of a program that check_pattern has passed.
class PatternNode {
 public:
  explicit PatternNode(const std::int32_t* words) noexcept : words_(words) {}

  [[nodiscard]] PatternOp op() const noexcept { return static_cast<PatternOp>(words_[0]); }
  [[nodiscard]] std::size_t words() const noexcept { return static_cast<std::size_t>(words_[1]); }
  [[nodiscard]] std::int32_t operand(std::size_t index) const noexcept { return words_[2 + index]; }
  [[nodiscard]] std::size_t size(std::size_t index) const noexcept { return static_cast<std::size_t>(operand(index)); }
  [[nodiscard]] const std::int32_t* operands(std::size_t from) const noexcept { return words_ + 2 + from; }

  /// The number of patterns below Or, And, PerHead, and Not, which has one.
  [[nodiscard]] std::size_t children() const noexcept { return op() == PatternOp::Not ? 1 : size(0); }
  [[nodiscard]] PatternNode first_child() const noexcept { return PatternNode(operands(op() == PatternOp::Not ? 0 : 1)); }
  [[nodiscard]] PatternNode next() const noexcept { return PatternNode(words_ + words_[1]); }
  [[nodiscard]] PatternNode child(std::size_t index) const noexcept {
    PatternNode node = first_child();
    for (; index > 0; --index) node = node.next();
    return node;
  }

 private:
  const std::int32_t* words_;
};

/// How deep a tree may be: its evaluation recurs. One more than fovea/pattern allows, as caches put a node around patterns.
inline constexpr std::size_t kPatternDepth = 65;

/// Whether the words are one whole tree, every operand in its range: whatever is computed from it stays within it. `batch`
/// and `head` are those that it will be asked for.
[[nodiscard]] Status check_pattern(const std::int32_t* words, std::size_t count, std::size_t batch, std::size_t head) noexcept;

/// Levels of the tree, at least 1.
[[nodiscard]] std::size_t pattern_depth(PatternNode node) noexcept;

}  // namespace fovea
