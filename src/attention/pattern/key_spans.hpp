#pragma once
/// The keys of one row as spans, and the algebra of sets on them. Every operation takes time and room in proportion to the
/// spans.

#include <cstddef>
#include <cstdint>

namespace fovea {

/// Keys [from, to), from < to.
struct KeySpan {
  std::uint32_t from, to;

  friend bool operator==(const KeySpan&, const KeySpan&) = default;
};

/// Ascending spans that neither overlap nor touch, in memory that somebody else owns: room for max_spans().
class KeySpans {
 public:
  explicit KeySpans(KeySpan* data = nullptr) noexcept : data_(data) {}

  /// The most spans that sets of [0, keys) have.
  static constexpr std::size_t max_spans(std::size_t keys) noexcept { return keys / 2 + 1; }

  [[nodiscard]] const KeySpan* begin() const noexcept { return data_; }
  [[nodiscard]] const KeySpan* end() const noexcept { return data_ + count_; }
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }

  void clear() noexcept { count_ = 0; }

  /// Adds [from, to), where no key before `from` will be added any more. Empty spans are left out.
  void add(std::uint32_t from, std::uint32_t to) noexcept {
    if (from >= to) return;
    if (count_ > 0 && data_[count_ - 1].to >= from) {
      if (to > data_[count_ - 1].to) data_[count_ - 1].to = to;
    } else {
      data_[count_++] = {from, to};
    }
  }

  [[nodiscard]] std::size_t keys() const noexcept;

 private:
  KeySpan* data_;
  std::size_t count_ = 0;
};

/// out <- a ∪ b, a ∩ b, a \ b. `out` is neither a nor b.
void unite(const KeySpans& a, const KeySpans& b, KeySpans& out) noexcept;
void intersect(const KeySpans& a, const KeySpans& b, KeySpans& out) noexcept;
void subtract(const KeySpans& a, const KeySpans& b, KeySpans& out) noexcept;

}  // namespace fovea
