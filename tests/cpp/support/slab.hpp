#pragma once
/// Arrays laid out in larger, poisoned memory: what lies between rows, heads and batch entries, before the first element and
/// after the last is as loud as the elements are quiet.

#include "core/view.hpp"
#include "support/bits.hpp"

namespace fovea::test {

enum class Layout { Bhtd, Bthd };

/// Elements of filler: before the first element (an odd number misaligns everything), after each row, after each plane (of
/// whatever the layout makes of that), and after the last. With tail 0 the memory ends where the last element ends, so that
/// AddressSanitizer sees the first read beyond it.
struct Padding {
  std::size_t lead = 0, row = 0, plane = 0, tail = 0;
};

/// [B, H, T, W], addressed by strides.
template <class T>
class Slab {
 public:
  Slab() = default;

  Slab(std::size_t batch, std::size_t heads, std::size_t tokens, std::size_t width, T filler, Layout layout = Layout::Bhtd,
       Padding padding = {})
      : batch_(batch), heads_(heads), tokens_(tokens), width_(width), lead_(padding.lead), filler_(filler) {
    const std::size_t row = width + padding.row;
    std::size_t batch_stride = 0;
    if (layout == Layout::Bhtd) {
      token_stride_ = row;
      head_stride_ = tokens * row + padding.plane;
      batch_stride = heads * head_stride_ + padding.plane;
    } else {
      head_stride_ = row;
      token_stride_ = heads * row + padding.plane;
      batch_stride = tokens * token_stride_ + padding.plane;
    }
    batch_stride_ = batch_stride;
    const std::size_t last = size() == 0 ? 0 : offset(batch - 1, heads - 1, tokens - 1, width - 1) + 1;
    memory_.assign(lead_ + last + padding.tail, filler);
    memory_.shrink_to_fit();
  }

  std::size_t batch() const noexcept { return batch_; }
  std::size_t heads() const noexcept { return heads_; }
  std::size_t tokens() const noexcept { return tokens_; }
  std::size_t width() const noexcept { return width_; }
  std::size_t size() const noexcept { return batch_ * heads_ * tokens_ * width_; }

  T& at(std::size_t b, std::size_t h, std::size_t t, std::size_t w) noexcept { return memory_[lead_ + offset(b, h, t, w)]; }
  const T& at(std::size_t b, std::size_t h, std::size_t t, std::size_t w) const noexcept {
    return memory_[lead_ + offset(b, h, t, w)];
  }

  /// Calls f(element) in the order b, h, t, w.
  template <class F>
  void each(F f) {
    for (std::size_t b = 0; b < batch_; ++b)
      for (std::size_t h = 0; h < heads_; ++h)
        for (std::size_t t = 0; t < tokens_; ++t)
          for (std::size_t w = 0; w < width_; ++w) f(at(b, h, t, w));
  }

  template <class F>
  void fill(F next) {
    each([&](T& element) { element = next(); });
  }

  /// The elements alone, in the order b, h, t, w.
  std::vector<T> elements() const {
    std::vector<T> copy;
    copy.reserve(size());
    const_cast<Slab*>(this)->each([&](T& element) { copy.push_back(element); });
    return copy;
  }

  HeadsView<T> view() noexcept {
    return {memory_.data() + lead_, static_cast<std::ptrdiff_t>(batch_stride_), static_cast<std::ptrdiff_t>(head_stride_),
            static_cast<std::ptrdiff_t>(token_stride_)};
  }
  HeadsView<const T> view() const noexcept {
    return {memory_.data() + lead_, static_cast<std::ptrdiff_t>(batch_stride_), static_cast<std::ptrdiff_t>(head_stride_),
            static_cast<std::ptrdiff_t>(token_stride_)};
  }
  T* data() noexcept { return memory_.data() + lead_; }
  const T* data() const noexcept { return memory_.data() + lead_; }

  /// Everything that is not an element still holds the filler.
  testing::AssertionResult filler_intact() const {
    Slab copy = *this;
    copy.each([&](T& element) { element = copy.filler_; });
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      if (std::bit_cast<Bits>(copy.memory_[i]) == std::bit_cast<Bits>(filler_)) continue;
      return testing::AssertionFailure() << "written outside of the array, at " << static_cast<std::ptrdiff_t>(i - lead_)
                                         << " elements from its start";
    }
    return testing::AssertionSuccess();
  }

 private:
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint8_t>;

  std::size_t offset(std::size_t b, std::size_t h, std::size_t t, std::size_t w) const noexcept {
    return b * batch_stride_ + h * head_stride_ + t * token_stride_ + w;
  }

  std::size_t batch_ = 0, heads_ = 0, tokens_ = 0, width_ = 0, lead_ = 0;
  std::size_t batch_stride_ = 0, head_stride_ = 0, token_stride_ = 0;
  T filler_{};
  std::vector<T> memory_;
};

/// A mask over [B, H, Tq, Tk] pairs. An extent of 1 is broadcast with stride 0; `transposed` stores [.., Tk, Tq].
template <class T>
class PairsMask {
 public:
  PairsMask() = default;

  PairsMask(std::size_t batch, std::size_t heads, std::size_t queries, std::size_t keys, T filler, bool transposed = false,
            Padding padding = {})
      : transposed_(transposed),
        queries_(queries),
        keys_(keys),
        slab_(batch, heads, transposed ? keys : queries, transposed ? queries : keys, filler, Layout::Bhtd, padding) {}

  bool empty() const noexcept { return slab_.size() == 0; }
  std::size_t batch() const noexcept { return slab_.batch(); }
  std::size_t heads() const noexcept { return slab_.heads(); }
  std::size_t queries() const noexcept { return queries_; }
  std::size_t keys() const noexcept { return keys_; }

  /// The entry that pair (i, j) reads, broadcast included.
  T& at(std::size_t b, std::size_t h, std::size_t i, std::size_t j) noexcept {
    b = slab_.batch() == 1 ? 0 : b;
    h = slab_.heads() == 1 ? 0 : h;
    i = queries_ == 1 ? 0 : i;
    j = keys_ == 1 ? 0 : j;
    return transposed_ ? slab_.at(b, h, j, i) : slab_.at(b, h, i, j);
  }

  template <class F>
  void fill(F next) {
    slab_.fill(next);
  }

  PairsView<T> view() const noexcept {
    if (empty()) return {};
    const HeadsView<const T> view = slab_.view();
    PairsView<T> pairs{view.data, view.batch, view.head, view.token, 1};
    if (transposed_) std::swap(pairs.query, pairs.key);
    if (slab_.batch() == 1) pairs.batch = 0;
    if (slab_.heads() == 1) pairs.head = 0;
    if (queries_ == 1) pairs.query = 0;
    if (keys_ == 1) pairs.key = 0;
    return pairs;
  }

 private:
  bool transposed_ = false;
  std::size_t queries_ = 0, keys_ = 0;
  Slab<T> slab_;
};

}  // namespace fovea::test
