#include "attention/linear_recurrent.hpp"

#include <algorithm>
#include <cmath>

#include "attention/linear_state.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::madd;
using simd::splat;
using simd::store;

constexpr std::size_t kVectors = 4;
constexpr std::size_t kColumns = kVectors * f32::size;

struct Scratch {
  LinearSums sums;
  float* k;      // [features]
  float* q;      // [features]
  float* decay;  // [features]: exp(g)
  float* v;      // [columns in whole blocks], as are the rest: what is added for a key
  float* o;
};

/// The columns of a block, whole vectors of them as far as there are any.
template <class Visit>
void for_blocks(std::size_t stride, Visit visit) noexcept {
  std::size_t c = 0;
  for (; c + kColumns <= stride; c += kColumns) visit(c, std::integral_constant<std::size_t, kVectors>{});
  for (; c < stride; c += f32::size) visit(c, std::integral_constant<std::size_t, 1>{});
}

/// s[f] <- decay[f] s[f] + k[f] v;   o <- Σ_f q[f] s[f]. No decay where it is null, no o where q is.
template <std::size_t kCount, bool kDecay, bool kRead>
void update_columns(float* s, std::size_t stride, std::size_t features, const Scratch& row, std::size_t c) noexcept {
  f32 v[kCount], o[kCount];
  for (std::size_t n = 0; n < kCount; ++n) {
    v[n] = load(row.v + c + n * f32::size);
    o[n] = splat(0.0f);
  }
  s += c;
  for (std::size_t f = 0; f < features; ++f, s += stride) {
    const f32 k = splat(row.k[f]);
    for (std::size_t n = 0; n < kCount; ++n) {
      f32 x = load(s + n * f32::size);
      if constexpr (kDecay) x = x * splat(row.decay[f]);
      x = madd(k, v[n], x);
      store(s + n * f32::size, x);
      if constexpr (kRead) o[n] = madd(splat(row.q[f]), x, o[n]);
    }
  }
  for (std::size_t n = 0; kRead && n < kCount; ++n) store(row.o + c + n * f32::size, o[n]);
}

/// out <- Σ_f x[f] s[f]
void read_columns(const LinearSizes& sizes, const float* s, const float* x, float* out) noexcept {
  for_blocks(sizes.stride, [&](std::size_t c, auto count) {
    f32 o[count];
    for (f32& sum : o) sum = splat(0.0f);
    for (std::size_t f = 0; f < sizes.features; ++f) {
      const f32 a = splat(x[f]);
      for (std::size_t n = 0; n < count; ++n) o[n] = madd(a, load(s + f * sizes.stride + c + n * f32::size), o[n]);
    }
    for (std::size_t n = 0; n < count; ++n) store(out + c + n * f32::size, o[n]);
  });
}

template <bool kDecay, bool kRead>
void update(const LinearSizes& sizes, const Scratch& scratch) noexcept {
  for_blocks(sizes.stride, [&](std::size_t c, auto count) {
    update_columns<count, kDecay, kRead>(scratch.sums.s, sizes.stride, sizes.features, scratch, c);
  });
}

struct Recurrence {
  const LinearArgs& args;
  LinearSizes sizes;
  std::size_t batch, kv_head;
  Scratch scratch;

  /// k <- φ(k[t]), the sums brought to its stabiliser
  void take_key(std::size_t token) noexcept {
    write_features(args.features, args.k.row(batch, kv_head, token), args.key_scale, scratch.k);
    if (!args.features.is_stabilised()) return;
    scratch.sums.raise(sizes, std::max(scratch.sums.m, highest_of(scratch.k, sizes.features)));
    exponentiate_features(scratch.k, sizes.features, scratch.sums.m, args.features.weight());
  }

  void take_decay(std::size_t token) noexcept {
    const float* const g = args.decay.row(batch, kv_head, token);
    for (std::size_t f = 0; f < sizes.features; ++f) scratch.decay[f] = args.decay_width == 1 ? g[0] : g[f];
    exponentiate_features(scratch.decay, sizes.features, 0.0f, 1.0f);
  }

  /// v <- β (v[t] - (decayed S)ᵀ k)
  void take_correction(std::size_t token) noexcept {
    float* const expected = scratch.o;
    if (args.is_gated()) {
      std::transform(scratch.k, scratch.k + sizes.features, scratch.decay, scratch.q, [](float k, float a) { return k * a; });
    }
    read_columns(sizes, scratch.sums.s, args.is_gated() ? scratch.q : scratch.k, expected);
    const float beta = *args.beta.row(batch, kv_head, token);
    // Both factors of what is expected were divided by exp(m).
    const float factor = scratch.sums.m == 0.0f ? 1.0f : std::exp(2.0f * scratch.sums.m);
    for (std::size_t c = 0; c < sizes.stride; ++c) scratch.v[c] = beta * (scratch.v[c] - factor * expected[c]);
  }

  /// Returns the query's stabiliser.
  float take_query(std::size_t head, std::size_t token) noexcept {
    write_features(args.features, args.q.row(batch, head, token), args.query_scale, scratch.q);
    if (!args.features.is_stabilised()) return 0.0f;
    const float highest = highest_of(scratch.q, sizes.features);
    exponentiate_features(scratch.q, sizes.features, highest, args.features.weight());
    return highest;
  }

  void attend(std::size_t token) noexcept {
    const std::size_t first = kv_head * args.group();
    const bool has_key = token < args.length(batch);
    if (has_key) {
      take_key(token);
      write_values(args, sizes, args.v.row(batch, kv_head, token), scratch.v);
      if (args.is_gated()) take_decay(token);
      if (args.is_delta()) take_correction(token);
    }
    float exponent = take_query(first, token);
    if (!has_key) {
      read_columns(sizes, scratch.sums.s, scratch.q, scratch.o);
    } else if (args.is_gated()) {
      update<true, true>(sizes, scratch);
    } else {
      update<false, true>(sizes, scratch);
    }
    for (std::size_t head = first;;) {
      write_linear_row(args, scratch.o, exponent + scratch.sums.m, args.output.row(batch, head, token));
      if (++head == first + args.group()) break;
      exponent = take_query(head, token);
      read_columns(sizes, scratch.sums.s, scratch.q, scratch.o);
    }
  }
};

}  // namespace

std::size_t recurrent_workspace_floats(const LinearArgs& args) noexcept {
  const LinearSizes sizes(args);
  return workspace_round(sizes.sum_floats()) + 3 * workspace_round(sizes.feature_stride) + 2 * workspace_round(sizes.stride);
}

void attend_recurrent(const LinearArgs& args, std::size_t batch, std::size_t kv_head, Workspace workspace) noexcept {
  const LinearSizes sizes(args);
  Recurrence recurrence = {args, sizes, batch, kv_head, {}};
  Scratch& scratch = recurrence.scratch;
  scratch.sums.s = workspace.take(sizes.sum_floats());
  scratch.k = workspace.take(sizes.feature_stride);
  scratch.q = workspace.take(sizes.feature_stride);
  scratch.decay = workspace.take(sizes.feature_stride);
  scratch.v = workspace.take(sizes.stride);
  scratch.o = workspace.take(sizes.stride);
  read_state(args, sizes, batch * args.kv_heads + kv_head, scratch.sums);
  for (std::size_t token = 0; token < args.queries; ++token) recurrence.attend(token);
  write_state(args, sizes, batch * args.kv_heads + kv_head, scratch.sums, nullptr);
}

}  // namespace fovea
