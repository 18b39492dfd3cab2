#include "attention/pattern/leaves.hpp"

#include <algorithm>
#include <bit>

#include "core/random.hpp"

namespace fovea {
namespace {

/// out <- out ∪ [from, to) ∩ the row's range
void add(const PatternRow& row, std::int64_t from, std::int64_t to, IntervalSet& out) noexcept {
  const auto first = static_cast<std::int64_t>(row.range.from), last = static_cast<std::int64_t>(row.range.to);
  from = std::clamp(from, first, last);
  to = std::clamp(to, from, last);
  out.add(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to));
}

/// `step` apart from `first` >= 0 on, `length` <= step keys each
void add_every(const PatternRow& row, std::int64_t first, std::int64_t step, std::int64_t length, IntervalSet& out) noexcept {
  const auto begin = static_cast<std::int64_t>(row.range.from), end = static_cast<std::int64_t>(row.range.to);
  const std::int64_t skipped = std::max<std::int64_t>(0, (begin - first) / step);
  for (std::int64_t from = first + skipped * step; from < end; from += step) add(row, from, from + length, out);
}

/// Each of the keys [from, to), which ascend.
void add_listed(const PatternRow& row, const std::int32_t* from, const std::int32_t* to, IntervalSet& out) noexcept {
  const auto begin = static_cast<std::int64_t>(row.range.from), end = static_cast<std::int64_t>(row.range.to);
  if (from != to && to[-1] - *from == to - from - 1) return add(row, *from, std::int64_t{to[-1]} + 1, out);  // no gaps
  for (const std::int32_t* j = std::lower_bound(from, to, begin); j != to && *j < end; ++j)
    add(row, *j, std::int64_t{*j} + 1, out);
}

void band(PatternNode leaf, const PatternRow& row, IntervalSet& out) noexcept {
  const std::int64_t left = leaf.operand(0), right = leaf.operand(1);
  add(row, left < 0 ? 0 : row.p - left, right < 0 ? INT64_MAX : row.p + right + 1, out);
}

void blocks(PatternNode leaf, const PatternRow& row, IntervalSet& out) noexcept {
  const std::int64_t size = leaf.operand(0), left = leaf.operand(1), right = leaf.operand(2), block = floor_div(row.p, size);
  add(row, left < 0 ? 0 : (block - left) * size, right < 0 ? INT64_MAX : (block + right + 1) * size, out);
}

void segments(PatternNode leaf, const PatternRow& row, IntervalSet& out) noexcept {
  const std::int32_t* const first = leaf.operands(1);
  const std::int32_t* const last = first + leaf.size(0);
  if (row.p < 0 || row.p >= *last) return;
  const std::int32_t* const next = std::upper_bound(first, last + 1, static_cast<std::int32_t>(row.p));
  add(row, next[-1], next[0], out);
}

void global_tokens(PatternNode leaf, const PatternRow& row, IntervalSet& out) noexcept {
  const std::int32_t* const first = leaf.operands(1);
  const std::int32_t* const last = first + leaf.size(0);
  if (row.p >= 0 && row.p < INT32_MAX && std::binary_search(first, last, static_cast<std::int32_t>(row.p))) {
    add(row, 0, INT64_MAX, out);
  } else {
    add_listed(row, first, last, out);
  }
}

constexpr std::size_t bit_words(std::size_t n) noexcept { return (n + 31) / 32; }

/// Whether the blocks that are drawn are kept as bits of all n, and not as an ascending list of r: a draw's place in the list is
/// searched and made room for, which takes as long as going through kWordsPerDraw words.
constexpr std::uint64_t kWordsPerDraw = 16;
constexpr bool keeps_bits(std::size_t r, std::size_t n) noexcept { return bit_words(n) <= kWordsPerDraw * r; }

/// The blocks drawn so far.
class DrawnBlocks {
 public:
  DrawnBlocks(std::uint32_t* words, std::uint32_t r, std::uint32_t n) noexcept
      : words_(words), count_(0), n_(n), bits_(keeps_bits(r, n)) {
    if (bits_) std::fill_n(words_, bit_words(n), 0);
  }

  /// Adds u, or if it is there `last`, which is beyond all that are.
  void draw(std::uint32_t u, std::uint32_t last) noexcept {
    if (bits_) {
      const bool taken = (words_[u / 32] >> u % 32 & 1) != 0;
      const std::uint32_t added = taken ? last : u;
      words_[added / 32] |= std::uint32_t{1} << added % 32;
      return;
    }
    std::uint32_t *const end = words_ + count_++, *const place = std::lower_bound(words_, end, u);
    if (place != end && *place == u) {
      *end = last;
    } else {
      std::copy_backward(place, end, end + 1);
      *place = u;
    }
  }

  /// Calls visit(block) in ascending order.
  template <class Visit>
  void for_each(Visit visit) const noexcept {
    if (!bits_) return static_cast<void>(std::for_each(words_, words_ + count_, visit));
    for (std::size_t w = 0; w < bit_words(n_); ++w) {
      for (std::uint32_t left = words_[w]; left != 0; left &= left - 1) {
        visit(static_cast<std::uint32_t>(32 * w) + static_cast<std::uint32_t>(std::countr_zero(left)));
      }
    }
  }

 private:
  std::uint32_t* words_;
  std::size_t count_, n_;
  bool bits_;
};

/// Floyd's sampling (Bentley & Floyd 1987): of n key blocks r = min(perQuery, n), for s = 0 … r-1: u from [0, n-r+s], which is
/// taken, or n-r+s if it has been. Draw s is word s mod 4 of the generator at (⌊s/4⌋, ⌊p/block⌋, h, stream 4).
void random_blocks(PatternNode leaf, const PatternRow& row, IntervalSet& out, std::uint32_t* scratch) noexcept {
  const auto block = static_cast<std::uint32_t>(leaf.operand(1));
  const auto n = static_cast<std::uint32_t>((row.keys + block - 1) / block);
  const std::uint32_t r = std::min(static_cast<std::uint32_t>(leaf.operand(0)), n);
  const Seed seed = {static_cast<std::uint32_t>(leaf.operand(2)), static_cast<std::uint32_t>(leaf.operand(3))};
  const auto index = static_cast<std::uint32_t>(floor_div(row.p, block));
  DrawnBlocks drawn(scratch, r, n);
  std::array<std::uint32_t, 4> words{};
  for (std::uint32_t s = 0; s < r; ++s) {
    if (s % 4 == 0) words = philox(seed, s / 4, index, static_cast<std::uint32_t>(row.head), Stream::Pattern);
    const std::uint32_t last = n - r + s;
    drawn.draw(uniform_below(words[s % 4], last + 1), last);
  }
  drawn.for_each([&](std::int64_t key_block) { add(row, key_block * block, (key_block + 1) * block, out); });
}

void axial(PatternNode leaf, const PatternRow& row, IntervalSet& out) noexcept {
  const std::int64_t length = leaf.operand(1), stride = leaf.operand(2), plane = length * stride;
  if (row.p < 0 || row.p >= leaf.operand(0)) return;
  const std::int64_t first = row.p / plane * plane + row.p % stride;
  PatternRow line = row;
  line.range.to = std::min(row.range.to, static_cast<std::size_t>(first + (length - 1) * stride + 1));
  line.range.from = std::min(row.range.from, line.range.to);
  add_every(line, first, stride, 1, out);
}

void neighbors(PatternNode leaf, const PatternRow& row, IntervalSet& out) noexcept {
  const std::int64_t height = leaf.operand(0), width = leaf.operand(1), down = leaf.operand(2), across = leaf.operand(3);
  const std::int64_t prefix = leaf.operand(4), place = row.p - prefix;
  if (row.p < 0 || place >= height * width) return;
  if (place < 0) return add(row, 0, prefix + height * width, out);
  add(row, 0, prefix, out);
  const std::int64_t y = place / width, x = place % width, last = std::min(height - 1, y + down);
  for (std::int64_t at = std::max<std::int64_t>(0, y - down); at <= last; ++at) {
    const std::int64_t line = prefix + at * width;
    if (line >= static_cast<std::int64_t>(row.keys)) break;
    add(row, line + std::max<std::int64_t>(0, x - across), line + std::min(width, x + across + 1), out);
  }
}

void listed(PatternNode leaf, const PatternRow& row, IntervalSet& out) noexcept {
  const std::int64_t at = table_row(leaf, row);
  if (at < 0) return;
  const std::int32_t* const indptr = leaf.operands(6);
  const std::int32_t* const indices = indptr + leaf.size(0) * leaf.size(1) * leaf.size(2) + 1;
  add_listed(row, indices + indptr[at], indices + indptr[at + 1], out);
}

void bits(PatternNode leaf, const PatternRow& row, IntervalSet& out) noexcept {
  const std::int64_t at = table_row(leaf, row);
  if (at < 0) return;
  const std::size_t columns = leaf.size(3), words = (columns + 31) / 32;
  const std::int32_t* const first = leaf.operands(4) + static_cast<std::size_t>(at) * words;
  for (std::size_t w = row.range.from / 32; w < words && 32 * w < row.range.to; ++w) {
    const std::size_t here = std::min<std::size_t>(32, columns - 32 * w);
    std::uint64_t left = static_cast<std::uint32_t>(first[w]) & (~std::uint64_t{0} >> (64 - here));
    while (left != 0) {
      const int from = std::countr_zero(left), run = std::countr_one(left >> from);
      add(row, static_cast<std::int64_t>(32 * w) + from, static_cast<std::int64_t>(32 * w) + from + run, out);
      left &= ~(((std::uint64_t{1} << run) - 1) << from);
    }
  }
}

void bucket(PatternNode leaf, const PatternRow& row, IntervalSet& out) noexcept {
  const std::int64_t at = table_row(leaf, row);
  if (at < 0) return;
  const std::size_t entries = leaf.size(0) * leaf.size(1), rows = leaf.size(2), columns = leaf.size(3), count = leaf.size(4);
  const std::int32_t* const bucket_of = leaf.operands(5);
  const std::int32_t* const starts = bucket_of + entries * rows;
  const std::size_t entry = static_cast<std::size_t>(at) / rows;
  const std::int32_t* const range = starts + entry * (count + 1) + bucket_of[at];
  const std::int32_t* const members = starts + entries * (count + 1) + entry * columns;
  add_listed(row, members + range[0], members + range[1], out);
}

}  // namespace

std::int64_t table_row(PatternNode leaf, const PatternRow& row) noexcept {
  if (row.p < 0 || row.p >= leaf.operand(2)) return -1;
  const std::int64_t batch = leaf.size(0) == 1 ? 0 : static_cast<std::int64_t>(row.batch);
  const std::int64_t head = leaf.size(1) == 1 ? 0 : static_cast<std::int64_t>(row.head);
  return (batch * leaf.operand(1) + head) * leaf.operand(2) + row.p;
}

std::size_t scratch_words(PatternNode leaf, std::size_t keys) noexcept {
  if (leaf.op() != PatternOp::Random) return 0;
  const std::size_t most = keys / leaf.size(1) + 1, r = std::min(leaf.size(0), most);
  return std::max(r, static_cast<std::size_t>(std::min<std::uint64_t>(bit_words(most), kWordsPerDraw * r)));
}

std::size_t max_intervals(PatternNode leaf, std::size_t keys) noexcept {
  const std::size_t most = IntervalSet::max_intervals(keys);
  switch (leaf.op()) {
    case PatternOp::All:
    case PatternOp::Band:
    case PatternOp::Blocks:
    case PatternOp::Segments: return 1;
    case PatternOp::Atrous:
    case PatternOp::PeriodicKeys: return std::min(keys / leaf.size(0) + 1, most);
    case PatternOp::Global: return std::clamp<std::size_t>(leaf.size(0), 1, most);
    case PatternOp::Random: return std::min({leaf.size(0), keys / leaf.size(1) + 1, most});
    case PatternOp::Axial: return std::min(leaf.size(1), most);
    case PatternOp::Neighbors:
      return static_cast<std::size_t>(
          std::min<std::uint64_t>({leaf.size(0) + std::uint64_t{1}, 2 * std::uint64_t{leaf.size(2)} + 2, most}));
    case PatternOp::Csr: return std::min(leaf.size(4), most);
    default: return most;
  }
}

void leaf_keys(PatternNode leaf, const PatternRow& row, IntervalSet& out, std::uint32_t* scratch) noexcept {
  out.clear();
  switch (leaf.op()) {
    case PatternOp::All: return add(row, 0, INT64_MAX, out);
    case PatternOp::Band: return band(leaf, row, out);
    case PatternOp::Atrous: return add_every(row, floor_mod(row.p, leaf.operand(0)), leaf.operand(0), 1, out);
    case PatternOp::Blocks: return blocks(leaf, row, out);
    case PatternOp::Segments: return segments(leaf, row, out);
    case PatternOp::PeriodicKeys:
      return add_every(row, leaf.operand(1), leaf.operand(0), leaf.operand(2) - leaf.operand(1), out);
    case PatternOp::Global: return global_tokens(leaf, row, out);
    case PatternOp::Random: return random_blocks(leaf, row, out, scratch);
    case PatternOp::Axial: return axial(leaf, row, out);
    case PatternOp::Neighbors: return neighbors(leaf, row, out);
    case PatternOp::Csr: return listed(leaf, row, out);
    case PatternOp::Bitmask: return bits(leaf, row, out);
    case PatternOp::Buckets: return bucket(leaf, row, out);
    case PatternOp::Or:
    case PatternOp::And:
    case PatternOp::Not:
    case PatternOp::PerHead: return;
  }
}

}  // namespace fovea
