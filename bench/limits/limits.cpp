// Measures the limits of one core in WebAssembly SIMD: loops that touch no memory, and one that only reads.
//   mul_add(n, a, b)   n rounds of x <- x * a + b over 12 independent chains, rounded after the product
//   madd(n, a, b)      the same with one relaxed multiply-add (in the relaxed build only)
//   read(n)            n passes over 64 MB, summed; call fill() first, or all of it is one page of zeros
// 12 chains and two constants fit the 16 vector registers of x86-64 and cover the latency of a product and a sum in a row:
// 8 or 10 chains gave 8 to 15 % less, 13 or 14 no more, nor did unrolling further than 4 (2026-11-20, Node 24).
// Four streams read 25 to 35 % faster than one, three as fast, on the same day.

#include <wasm_simd128.h>

#include <cstddef>
#include <cstdint>

namespace {

constexpr std::size_t kChains = 12;
constexpr std::size_t kUnroll = 4;
constexpr std::size_t kReadBytes = std::size_t{64} << 20;
constexpr std::size_t kReadVectors = kReadBytes / sizeof(v128_t);

constexpr std::size_t kStreams = 4;

alignas(64) v128_t memory[kReadVectors];

template <class Step>
float run_chains(std::uint32_t rounds, Step step) {
  v128_t chains[kChains];
  for (std::size_t c = 0; c < kChains; ++c) chains[c] = wasm_f32x4_splat(static_cast<float>(c));
  for (std::uint32_t round = 0; round < rounds; ++round) {
#pragma clang loop unroll(full)
    for (std::size_t u = 0; u < kUnroll; ++u) {
#pragma clang loop unroll(full)
      for (std::size_t c = 0; c < kChains; ++c) chains[c] = step(chains[c]);
    }
  }
  v128_t sum = chains[0];
  for (std::size_t c = 1; c < kChains; ++c) sum = wasm_f32x4_add(sum, chains[c]);
  return wasm_f32x4_extract_lane(sum, 0) + wasm_f32x4_extract_lane(sum, 3);
}

}  // namespace

extern "C" {

/// Floating-point operations of one round.
__attribute__((export_name("flops_per_round"))) std::uint32_t flops_per_round() { return kChains * kUnroll * 4 * 2; }

/// Bytes of one pass of read().
__attribute__((export_name("bytes_per_pass"))) std::uint32_t bytes_per_pass() { return kReadBytes; }

__attribute__((export_name("mul_add"))) float mul_add(std::uint32_t rounds, float a, float b) {
  const v128_t factor = wasm_f32x4_splat(a), summand = wasm_f32x4_splat(b);
  return run_chains(rounds, [=](v128_t x) { return wasm_f32x4_add(wasm_f32x4_mul(x, factor), summand); });
}

#ifdef __wasm_relaxed_simd__
__attribute__((export_name("madd"))) float madd(std::uint32_t rounds, float a, float b) {
  const v128_t factor = wasm_f32x4_splat(a), summand = wasm_f32x4_splat(b);
  return run_chains(rounds, [=](v128_t x) { return wasm_f32x4_relaxed_madd(x, factor, summand); });
}
#endif

__attribute__((export_name("fill"))) void fill() {
  for (std::size_t i = 0; i < kReadVectors; ++i) memory[i] = wasm_i32x4_splat(static_cast<std::int32_t>(i));
}

__attribute__((export_name("read"))) std::int32_t read(std::uint32_t passes) {
  constexpr std::size_t kPart = kReadVectors / kStreams;
  v128_t sums[kStreams * 2] = {};
  for (std::uint32_t pass = 0; pass < passes; ++pass) {
    for (std::size_t i = 0; i < kPart; i += 2) {
#pragma clang loop unroll(full)
      for (std::size_t s = 0; s < kStreams; ++s) {
        sums[2 * s] = wasm_i32x4_add(sums[2 * s], memory[s * kPart + i]);
        sums[2 * s + 1] = wasm_i32x4_add(sums[2 * s + 1], memory[s * kPart + i + 1]);
      }
    }
  }
  for (std::size_t j = 1; j < kStreams * 2; ++j) sums[0] = wasm_i32x4_add(sums[0], sums[j]);
  return wasm_i32x4_extract_lane(sums[0], 0) ^ wasm_i32x4_extract_lane(sums[0], 2);
}

}  // extern "C"
