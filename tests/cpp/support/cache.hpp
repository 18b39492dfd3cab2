#pragma once
/// Keys and values as a cache has them: gathered out of a problem's, with nothing before and behind.

#include "attention/cache/append_rows.hpp"
#include "ops/float16.hpp"
#include "support/problem.hpp"

namespace fovea::test {

/// The problem's k and v rounded to float16, as floats.
inline void round_to_float16(Problem& problem) {
  const auto round = [](float& x) {
    std::uint16_t half = 0;
    to_float16(&x, 1, &half);
    from_float16(&half, 1, &x);
  };
  problem.k.each(round);
  problem.v.each(round);
}

class CacheOf {
 public:
  /// Keys [keep_first, keep_first + evicted_rows) are gone. Those before `poisoned` hold NaN where they are still there.
  CacheOf(const Problem& problem, const KvLayout& store, std::size_t poisoned = 0) : store_(store), sizes_(problem.sizes) {
    rows_ = sizes_.keys - store.evicted_rows;
    std::uint32_t irregular = 0;
    k_ = gather(problem.k, sizes_.width, poisoned, irregular);
    v_ = gather(problem.v, sizes_.value_width, poisoned, irregular);
    store_.converts_inline = store.float16 && irregular == 0;
  }

  /// Whether numbers may be converted while they are multiplied.
  [[nodiscard]] bool converts_inline() const { return store_.converts_inline; }

  /// The problem's call, but over the cache.
  [[nodiscard]] AttentionArgs args(AttentionArgs args) const {
    args.k = view(k_, sizes_.width);
    args.v = view(v_, sizes_.value_width);
    args.kv_layout = store_;
    return args;
  }

 private:
  struct Memory {
    std::vector<float> floats;
    std::vector<std::uint16_t> float16;
  };

  [[nodiscard]] Memory gather(const Slab<float>& from, std::size_t width, std::size_t poisoned,
                              std::uint32_t& irregular) const {
    Memory memory;
    const std::size_t elements = sizes_.batch * sizes_.kv_heads * rows_ * width;
    if (store_.float16) {
      memory.float16.resize(elements);
    } else {
      memory.floats.resize(elements);
    }
    std::vector<float> row(width);
    AppendArgs args;
    args.batch = args.heads = args.tokens = 1;
    args.width = width;
    args.rows = sizes_.batch * sizes_.kv_heads * rows_;
    args.floats = memory.floats.data();
    args.float16 = store_.float16 ? memory.float16.data() : nullptr;
    args.from = {row.data(), 0, 0, 0};
    args.irregular = &irregular;
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
    const void* const data = store_.float16 ? static_cast<const void*>(memory.float16.data()) : memory.floats.data();
    const auto head = static_cast<std::ptrdiff_t>(rows_ * width);
    return {static_cast<const float*>(data), head * static_cast<std::ptrdiff_t>(sizes_.kv_heads), head,
            static_cast<std::ptrdiff_t>(width)};
  }

  KvLayout store_;
  Sizes sizes_;
  std::size_t rows_;
  Memory k_, v_;
};

}  // namespace fovea::test
