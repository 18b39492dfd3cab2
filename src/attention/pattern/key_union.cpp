#include "attention/pattern/key_union.hpp"

#include <algorithm>
#include <bit>

#include "core/bits.hpp"

namespace fovea {
namespace {

constexpr std::size_t words_of(std::size_t bits) noexcept { return (bits + 63) / 64; }

}  // namespace

KeyUnion::KeyUnion(std::size_t keys, Workspace& workspace) noexcept : keys_(keys), words_(words_of(keys)) {
  bits_ = workspace.take<std::uint64_t>(words_);
  touched_ = workspace.take<std::uint64_t>(words_of(words_));
  first_ = workspace.take<std::uint32_t>(words_);
  keys_of_ = workspace.take<std::uint32_t>(64u, words_);
  if (!workspace.sufficed()) return;
  std::fill_n(bits_, words_, 0);
  std::fill_n(touched_, words_of(words_), 0);
}

template <class Visit>
void KeyUnion::for_each_word(Visit visit) const noexcept {
  for (std::size_t w = 0; w < words_of(words_); ++w) {
    for (std::uint64_t left = touched_[w]; left != 0; left &= left - 1) {
      visit(64 * w + static_cast<std::size_t>(std::countr_zero(left)));
    }
  }
}

void KeyUnion::clear() noexcept {
  for_each_word([this](std::size_t word) { bits_[word] = 0; });
  std::fill_n(touched_, words_of(words_), 0);
}

void KeyUnion::add(const IntervalSet& intervals) noexcept {
  for (const Interval& interval : intervals) {
    const std::size_t last = (interval.to - 1) / 64;
    for (std::size_t word = interval.from / 64; word <= last; ++word) {
      const std::size_t from = std::max<std::size_t>(interval.from, 64 * word),
                        to = std::min<std::size_t>(interval.to, 64 * word + 64);
      bits_[word] |= bit_range(from - 64 * word, to - 64 * word);
      touched_[word / 64] |= std::uint64_t{1} << word % 64;
    }
  }
}

void KeyUnion::build() noexcept {
  std::size_t needed = 0, words = 0;
  for_each_word([&](std::size_t word) {
    needed += static_cast<std::size_t>(std::popcount(bits_[word]));
    ++words;
  });
  aligned_ = 64 * words <= needed + needed / 2 + 64;
  columns_ = 0;
  for_each_word([&](std::size_t word) {
    first_[word] = static_cast<std::uint32_t>(columns_);
    const std::size_t here = std::min<std::size_t>(64, keys_ - 64 * word);
    for (std::uint64_t left = aligned_ ? bit_range(0, here) : bits_[word]; left != 0; left &= left - 1) {
      keys_of_[columns_++] = static_cast<std::uint32_t>(64 * word) + static_cast<std::uint32_t>(std::countr_zero(left));
    }
  });
}

std::size_t KeyUnion::column_of(std::uint32_t key) const noexcept {
  const std::size_t word = key / 64, bit = key % 64;
  const std::uint64_t below = bits_[word] & ((std::uint64_t{1} << bit) - 1);
  return first_[word] + (aligned_ ? bit : static_cast<std::size_t>(std::popcount(below)));
}

TokenList KeyUnion::tile(std::size_t index) const noexcept {
  const std::uint32_t* const list = keys_of_ + 64 * index;
  const std::size_t count = std::min<std::size_t>(64, columns_ - 64 * index);
  const bool consecutive = list[count - 1] - list[0] == count - 1;
  return {list[0], count, consecutive ? nullptr : list};
}

}  // namespace fovea
