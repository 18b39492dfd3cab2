#pragma once
/// Keys and values as a cache has them: gathered out of a problem's, with nothing before and behind.

#include "attention/append_rows.hpp"
#include "ops/halves.hpp"
#include "support/problem.hpp"

namespace fovea::test {

/// The problem's k and v rounded to halves, as floats.
inline void round_to_halves(Problem& problem) {
  const auto round = [](float& x) {
    std::uint16_t half = 0;
    to_halves(&x, 1, &half);
    from_halves(&half, 1, &x);
  };
  problem.k.each(round);
  problem.v.each(round);
}

class CacheOf {
 public:
  /// Keys [keep_first, keep_first + shift) are gone. Those before `poisoned` hold NaN where they are still there.
  CacheOf(const Problem& problem, const KeyStore& store, std::size_t poisoned = 0) : store_(store), sizes_(problem.sizes) {
    rows_ = sizes_.keys - store.shift;
    k_ = gather(problem.k, sizes_.width, poisoned);
    v_ = gather(problem.v, sizes_.value_width, poisoned);
  }

  /// The problem's call, but over the cache.
  [[nodiscard]] AttentionArgs args(AttentionArgs args) const {
    args.k = view(k_, sizes_.width);
    args.v = view(v_, sizes_.value_width);
    args.store = store_;
    return args;
  }

 private:
  struct Memory {
    std::vector<float> floats;
    std::vector<std::uint16_t> halves;
  };

  [[nodiscard]] Memory gather(const Slab<float>& from, std::size_t width, std::size_t poisoned) const {
    Memory memory;
    const std::size_t elements = sizes_.batch * sizes_.kv_heads * rows_ * width;
    if (store_.halves) {
      memory.halves.resize(elements);
    } else {
      memory.floats.resize(elements);
    }
    std::vector<float> row(width);
    AppendArgs args;
    args.batch = args.heads = args.tokens = 1;
    args.width = width;
    args.rows = sizes_.batch * sizes_.kv_heads * rows_;
    args.floats = memory.floats.data();
    args.halves = store_.halves ? memory.halves.data() : nullptr;
    args.from = {row.data(), 0, 0, 0};
    for (std::size_t head = 0; head < sizes_.batch * sizes_.kv_heads; ++head) {
      for (std::size_t j = 0; j < sizes_.keys; ++j) {
        if (!store_.holds(j)) continue;
        for (std::size_t d = 0; d < width; ++d) {
          row[d] =
              j >= store_.keep_first && j < poisoned ? kNan : from.at(head / sizes_.kv_heads, head % sizes_.kv_heads, j, d);
        }
        args.at = head * rows_ + store_.row_of(j);
        EXPECT_EQ(append_rows(args), Status::Ok);
      }
    }
    return memory;
  }

  [[nodiscard]] HeadsView<const float> view(const Memory& memory, std::size_t width) const {
    const void* const data = store_.halves ? static_cast<const void*>(memory.halves.data()) : memory.floats.data();
    const auto head = static_cast<std::ptrdiff_t>(rows_ * width);
    return {static_cast<const float*>(data), head * static_cast<std::ptrdiff_t>(sizes_.kv_heads), head,
            static_cast<std::ptrdiff_t>(width)};
  }

  KeyStore store_;
  Sizes sizes_;
  std::size_t rows_;
  Memory k_, v_;
};

}  // namespace fovea::test
