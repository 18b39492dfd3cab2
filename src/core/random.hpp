#pragma once
/// Random numbers without a state: Philox4x32-10, four words that are a function of a seed and of where they are used.
///   key = seed = low + 2^32 high        counter = (c0, c1, c2, stream)
///   uniform = ((word >> 9) + 1/2) 2^-23
///   normals = sqrt(-2 ln u1) (cos 2π u2, sin 2π u2),  u1, u2 = the uniforms of the first and the second word  (Box-Muller)
///   gumbel = -ln(-ln uniform), in (-2.82, 16.64)
/// Streams, each with the meaning of its counter; equal counters of two streams give unrelated words:
///   Sampled     (j, p(i), b * H + h)       the first word is that of the pair of query i, at position p(i), and key j
///   Favor       (row, floor(d / 4), part)  normal d mod 4 of the row's direction (part 0) or of its norm (part 1)
///   Lsh         (c, floor(d / 4), round)   normal d mod 4 is entry (d, c) of the round's projection
///   Pattern     (floor(s / 4), block of p(i), h)  word s mod 4 is draw s
///   Parameters  (floor(i / 4), 0, FNV-1a of the parameter's name)  normal i mod 4 is entry i
///   Selection   (token, role, b)           the first word is that of the token's sample for the role
/// Accuracy: uniforms are exact, in (0, 1), 2^23 of them. Normals are computed in double, then rounded; |normal| < 5.77. In
///   WebAssembly all variants have the same bits; natively log, cos and sin are the system's, whose last bits may differ.
/// Paper: Salmon, Moraes, Dror, Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3"; their library Random123.

#include <array>
#include <cstddef>
#include <cstdint>

namespace fovea {

/// An integer from 0 to 2^53 - 1, cut in two words.
struct Seed {
  std::uint32_t low = 0, high = 0;
};

constexpr Seed to_seed(std::uint64_t seed) noexcept {
  return {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
}

enum class Stream : std::uint32_t { Sampled = 1, Favor = 2, Lsh = 3, Pattern = 4, Parameters = 5, Selection = 6 };

using RandomWords = std::array<std::uint32_t, 4>;

[[nodiscard]] constexpr RandomWords philox(Seed seed, std::uint32_t c0, std::uint32_t c1, std::uint32_t c2,
                                           Stream stream) noexcept {
  // The paper's multipliers; the keys' steps are the golden ratio and sqrt(3) - 1, times 2^32.
  constexpr std::uint64_t kMultiplier0 = 0xD2511F53u, kMultiplier1 = 0xCD9E8D57u;
  constexpr std::uint32_t kStep0 = 0x9E3779B9u, kStep1 = 0xBB67AE85u;
  constexpr int kRounds = 10;
  std::uint32_t k0 = seed.low, k1 = seed.high, c3 = static_cast<std::uint32_t>(stream);
  for (int round = 0; round < kRounds; ++round) {
    // c <- (hi(M1 c2) ^ c1 ^ k0, lo(M1 c2), hi(M0 c0) ^ c3 ^ k1, lo(M0 c0))
    const std::uint64_t product0 = kMultiplier0 * c0, product1 = kMultiplier1 * c2;
    c0 = static_cast<std::uint32_t>(product1 >> 32) ^ c1 ^ k0;
    c1 = static_cast<std::uint32_t>(product1);
    c2 = static_cast<std::uint32_t>(product0 >> 32) ^ c3 ^ k1;
    c3 = static_cast<std::uint32_t>(product0);
    k0 += kStep0;
    k1 += kStep1;
  }
  return {c0, c1, c2, c3};
}

/// In (0, 1), never at an end.
[[nodiscard]] constexpr float uniform(std::uint32_t word) noexcept { return (static_cast<float>(word >> 9) + 0.5f) * 0x1p-23f; }

/// floor(uniform * n) < n, computed in double; n >= 1. Beyond n = 2^23 some numbers are never drawn.
[[nodiscard]] constexpr std::uint32_t uniform_below(std::uint32_t word, std::uint32_t n) noexcept {
  return static_cast<std::uint32_t>(static_cast<double>(uniform(word)) * static_cast<double>(n));
}

/// The cosine's and the sine's: two independent numbers of mean 0 and variance 1.
[[nodiscard]] std::array<float, 2> normals(std::uint32_t first, std::uint32_t second) noexcept;

/// -ln(-ln u), in double: what is added to logits, whose highest is then a draw by their softmax.
[[nodiscard]] double gumbel(std::uint32_t word) noexcept;

/// Two of words 0 and 1, two of words 2 and 3.
[[nodiscard]] std::array<float, 4> normals(const RandomWords& words) noexcept;

/// out[i] <- scale * normal: the `count` entries of a random parameter; `name` is FNV-1a of its name.
void parameter_normals(Seed seed, std::uint32_t name, float scale, std::size_t count, float* out) noexcept;

/// samples[b, t] <- 1 where the uniform of (t, role, b) is below probability[b, t], else 0. Both are [batch, tokens].
///   Probability 0 or NaN gives 0, 1 gives 1.
void selection_samples(Seed seed, std::uint32_t role, std::uint32_t batch, std::uint32_t tokens, const float* probability,
                       std::int32_t* samples) noexcept;

}  // namespace fovea
