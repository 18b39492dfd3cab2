#include "attention/pattern/program.hpp"

#include <algorithm>

namespace fovea {
namespace {

/// Words that are still to be read, with the batch entry and head that the pattern is for.
struct Reader {
  const std::int32_t* words;
  std::uint64_t left;
  std::size_t batch, head;
};

bool is_tree(Reader& reader, std::size_t depth) noexcept;

/// The product of operands, at most 2^31, beyond which no count of words is valid; 2^64 - 1 where one is below 0.
std::uint64_t count_of(const PatternNode& node, std::size_t from, std::size_t to) noexcept {
  std::uint64_t product = 1;
  for (std::size_t index = from; index < to; ++index) {
    if (node.operand(index) < 0) return ~std::uint64_t{0};
    product = std::min<std::uint64_t>(product * static_cast<std::uint64_t>(node.operand(index)), std::uint64_t{1} << 31);
  }
  return product;
}

bool ascends(const std::int32_t* values, std::uint64_t count, std::int32_t from, std::int32_t to, bool strictly) noexcept {
  for (std::uint64_t n = 0; n < count; ++n) {
    if (values[n] < from || values[n] > to) return false;
    if (n > 0 && (strictly ? values[n] <= values[n - 1] : values[n] < values[n - 1])) return false;
  }
  return true;
}

/// Lists, Bits and Buckets begin with batches, heads, rows, columns.
bool has_rows_for(const PatternNode& node, const Reader& reader) noexcept {
  if (count_of(node, 0, 4) > std::uint64_t{1} << 62) return false;
  return (node.size(0) == 1 || reader.batch < node.size(0)) && (node.size(1) == 1 || reader.head < node.size(1));
}

bool is_lists(const PatternNode& node, std::uint64_t operands, const Reader& reader) noexcept {
  if (operands < 6 || !has_rows_for(node, reader) || node.operand(4) < 0 || node.size(5) > 2) return false;
  const std::uint64_t rows = count_of(node, 0, 3), pairs = node.size(4);
  const bool biased = static_cast<CsrKind>(node.operand(5)) == CsrKind::Biased;
  if (operands != 6 + rows + 1 + pairs * (biased ? 2 : 1)) return false;
  const std::int32_t* const indptr = node.operands(6);
  if (!ascends(indptr, rows + 1, 0, node.operand(4), false) || indptr[0] != 0 || indptr[rows] != node.operand(4)) return false;
  for (std::uint64_t row = 0; row < rows; ++row) {
    const std::int32_t* const list = indptr + rows + 1 + indptr[row];
    if (!ascends(list, static_cast<std::uint64_t>(indptr[row + 1] - indptr[row]), 0, node.operand(3) - 1, true)) return false;
  }
  return true;
}

bool is_buckets(const PatternNode& node, std::uint64_t operands, const Reader& reader) noexcept {
  if (operands < 5 || !has_rows_for(node, reader) || node.operand(4) < 1) return false;
  const std::uint64_t entries = count_of(node, 0, 2), rows = count_of(node, 0, 3), buckets = node.size(4);
  const std::uint64_t columns = node.size(3);
  if (operands != 5 + rows + entries * (buckets + 1) + entries * columns) return false;
  const std::int32_t* const bucket_of = node.operands(5);
  const std::int32_t* const starts = bucket_of + rows;
  const std::int32_t* const members = starts + entries * (buckets + 1);
  for (std::uint64_t row = 0; row < rows; ++row) {
    if (bucket_of[row] < 0 || bucket_of[row] >= node.operand(4)) return false;
  }
  for (std::uint64_t entry = 0; entry < entries; ++entry) {
    const std::int32_t* const from = starts + entry * (buckets + 1);
    if (from[0] != 0 || !ascends(from, buckets + 1, 0, node.operand(3), false)) return false;
    for (std::uint64_t bucket = 0; bucket < buckets; ++bucket) {
      const std::int32_t* const list = members + entry * columns + from[bucket];
      if (!ascends(list, static_cast<std::uint64_t>(from[bucket + 1] - from[bucket]), 0, node.operand(3) - 1, true))
        return false;
    }
  }
  return true;
}

bool are_trees(const PatternNode& node, std::uint64_t operands, std::size_t from, const Reader& reader,
               std::size_t depth) noexcept {
  Reader inner = {node.operands(from), operands - from, reader.batch, reader.head};
  for (std::size_t index = 0; index < node.children(); ++index) {
    if (!is_tree(inner, depth + 1)) return false;
  }
  return inner.left == 0;
}

bool are_operands(const PatternNode& node, std::uint64_t count, const Reader& reader, std::size_t depth) noexcept {
  const auto at_least = [&](std::size_t index, std::int32_t least) { return node.operand(index) >= least; };
  switch (node.op()) {
    case PatternOp::All: return count == 0;
    case PatternOp::Band: return count == 2 && at_least(0, -1) && at_least(1, -1);
    case PatternOp::Atrous: return count == 1 && at_least(0, 1);
    case PatternOp::Blocks: return count == 3 && at_least(0, 1) && at_least(1, -1) && at_least(2, -1);
    case PatternOp::Segments:
      return count >= 1 && at_least(0, 1) && count == node.size(0) + 2 && node.operand(1) == 0 &&
             ascends(node.operands(1), node.size(0) + 1, 0, INT32_MAX, false);
    case PatternOp::PeriodicKeys:
      return count == 3 && at_least(0, 1) && at_least(1, 0) && node.operand(1) < node.operand(2) &&
             node.operand(2) <= node.operand(0);
    case PatternOp::Global:
      return count >= 1 && at_least(0, 0) && count == node.size(0) + 1 &&
             ascends(node.operands(1), node.size(0), 0, INT32_MAX - 1, true);
    case PatternOp::Random: return count == 4 && at_least(0, 1) && at_least(1, 1);
    case PatternOp::Axial:
      return count == 3 && at_least(0, 0) && at_least(1, 1) && at_least(2, 1) &&
             node.size(0) % (static_cast<std::uint64_t>(node.size(1)) * node.size(2)) == 0;
    case PatternOp::Neighbors:
      return count == 5 && count_of(node, 0, 2) < 1u << 31 && at_least(2, 0) && at_least(3, 0) && at_least(4, 0) &&
             count_of(node, 0, 2) + node.size(4) < 1u << 31;
    case PatternOp::Csr: return is_lists(node, count, reader);
    case PatternOp::Bitmask:
      return count >= 4 && has_rows_for(node, reader) && count == 4 + count_of(node, 0, 3) * ((node.size(3) + 31) / 32);
    case PatternOp::Buckets: return is_buckets(node, count, reader);
    case PatternOp::Or:
    case PatternOp::And: return count >= 1 && at_least(0, 1) && are_trees(node, count, 1, reader, depth);
    case PatternOp::Not: return are_trees(node, count, 0, reader, depth);
    case PatternOp::PerHead:
      return count >= 1 && at_least(0, 1) && reader.head < node.size(0) && are_trees(node, count, 1, reader, depth);
  }
  return false;
}

/// Reads one node off the reader.
bool is_tree(Reader& reader, std::size_t depth) noexcept {
  if (reader.left < 2 || depth > kPatternDepth) return false;
  const PatternNode node(reader.words);
  const std::int32_t words = reader.words[1];
  if (words < 2 || static_cast<std::uint64_t>(words) > reader.left) return false;
  if (!are_operands(node, static_cast<std::uint64_t>(words) - 2, reader, depth)) return false;
  reader.words += words;
  reader.left -= static_cast<std::uint64_t>(words);
  return true;
}

}  // namespace

Status check_pattern(const std::int32_t* words, std::size_t count, std::size_t batch, std::size_t head) noexcept {
  Reader reader = {words, count, batch, head};
  return is_tree(reader, 1) && reader.left == 0 ? Status::Ok : Status::Value;
}

std::size_t pattern_depth(PatternNode node) noexcept {
  if (node.op() < PatternOp::Or) return 1;
  std::size_t deepest = 0;
  PatternNode child = node.first_child();
  for (std::size_t index = 0; index < node.children(); ++index, child = child.next()) {
    deepest = std::max(deepest, pattern_depth(child));
  }
  return deepest + 1;
}

}  // namespace fovea
