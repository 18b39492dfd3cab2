#include "attention/decode/decode_partials.hpp"

#include "attention/softmax/normalizer.hpp"
#include "attention/softmax/relative_values.hpp"
#include "core/saturated.hpp"
#include "gemm/panels.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::splat;
using simd::store;

static_assert(DecodePartials::kDecodeLanes == f32::size);

/// Floats of a wave, about: 1 MB.
constexpr std::uint64_t kWaveFloats = std::uint64_t{1} << 18;
/// Floats of a group's rows, about: beyond it, one more row costs a group less than a fiftieth of reading its keys.
constexpr std::uint64_t kGroupFloats = std::uint64_t{1} << 16;

/// Whether each chunk has sums of values.
bool sums_chunks(const AttentionArgs& args) noexcept { return sums_values(args) || needs_full_row(args); }

}  // namespace

bool chooses_key(const AttentionArgs& args) noexcept { return row_state(args) == RowState::Argmax; }

DecodeSizes::DecodeSizes(const AttentionArgs& args, std::size_t threads) noexcept
    : chunks(args),
      queries(args.queries),
      width(args.width),
      distances(round_up(args.variant.relative_keys.distances(), f32::size)),
      value_floats(round_up(args.value_width, f32::size)),
      stride(sums_chunks(args) ? clamped_count(saturated_sum(value_floats, distance_floats(args))) : 0),
      scores(keeps_scores(args) ? args.keys : 0) {
  const std::uint64_t row_floats = saturated_sum(width, distances, stride, DecodePartials::kDecodeLanes + 1);
  const std::size_t shared = args.heads / args.kv_heads;
  const std::uint64_t fits = std::min(kGroupFloats / std::max<std::uint64_t>(saturated_product(row_floats, queries), 1),
                                      kDecodeScores / std::max<std::uint64_t>(saturated_product(scores, queries), 1));
  heads = static_cast<std::size_t>(std::clamp<std::uint64_t>(fits, 1, std::max<std::size_t>(shared, 1)));
  groups = (shared + heads - 1) / heads;
  steps = saturated_product(args.batch, args.kv_heads, groups, chunks.count);
  std::uint64_t wanted = kWaveFloats / std::max<std::uint64_t>(saturated_product(row_floats, rows()), 1);
  const bool keeps = keeps_scores(args) && chunks.count > 1;
  if (keeps) {
    // Whole groups, as rows are normalized between their scores and their sums.
    const std::uint64_t most = kDecodeScores / std::max<std::uint64_t>(saturated_product(scores, rows()), 1);
    wanted = std::max<std::uint64_t>(std::min<std::uint64_t>(wanted / chunks.count, most), 1) * chunks.count;
  }
  // A group with one chunk needs memory only while a thread works on it.
  const std::uint64_t least = keeps ? 1 : threads;
  wave = static_cast<std::size_t>(chunks.count == 1 ? threads : std::min(std::max(wanted, least), steps));
  // Another wave may begin and end within a group.
  wave_groups = keeps ? wave / chunks.count : std::min((wave + chunks.count - 1) / chunks.count + 1, wave);
}

DecodeGroup DecodeSizes::group(const AttentionArgs& args, std::uint64_t index) const noexcept {
  const auto kv_head = static_cast<std::size_t>(index / groups);  // of all batch entries
  const std::size_t shared = args.heads / args.kv_heads, first = static_cast<std::size_t>(index % groups) * heads;
  const std::size_t within = kv_head % args.kv_heads;
  return {kv_head / args.kv_heads, within, within * shared + first, std::min(heads, shared - first)};
}

DecodePartials::DecodePartials(const AttentionArgs& args, std::size_t threads, Workspace& workspace) noexcept
    : sizes(args, threads),
      q(workspace.take<float>(sizes.wave_groups, sizes.heads, sizes.queries, sizes.width)),
      relative(workspace.take<float>(sizes.wave_groups, sizes.heads, sizes.queries, sizes.distances)),
      m(workspace.take<float>(sizes.wave + 1, sizes.heads, sizes.queries)),
      l(workspace.take<float>(sizes.wave + 1, sizes.heads, sizes.queries, kDecodeLanes)),
      o(workspace.take<float>(sizes.wave + 1, sizes.heads, sizes.queries, sizes.stride)),
      argmax(workspace.take<ArgmaxState>(chooses_key(args) ? sizes.wave + 1 : 0, sizes.heads, sizes.queries)),
      scores(workspace.take<float>(sizes.wave_groups, sizes.heads, sizes.queries, sizes.scores)),
      kinds(workspace.take<RowKind>(keeps_scores(args) ? sizes.wave_groups : 0, sizes.heads, sizes.queries)) {}

void merge_softmax(SoftmaxRows total, SoftmaxRows part) noexcept {
  // The sum tells whether there was an allowed key: a NaN may hide from m, never from it.
  if (simd::reduce_add(load(part.l)) == 0.0f) return;
  float& m = *total.m;
  const float new_max = *part.m > m ? *part.m : m;
  const f32 ours = simd::exp(splat(m - new_max)), theirs = simd::exp(splat(*part.m - new_max));
  store(total.l, load(total.l) * ours + load(part.l) * theirs);
  for (std::size_t c = 0; c < total.stride; c += f32::size) {
    store(total.o + c, load(total.o + c) * ours + load(part.o + c) * theirs);
  }
  m = new_max;
}

void merge_pointwise(SoftmaxRows total, SoftmaxRows part) noexcept {
  store(total.l, load(total.l) + load(part.l));
  for (std::size_t c = 0; c < total.stride; c += f32::size) store(total.o + c, load(total.o + c) + load(part.o + c));
}

void copy_row(SoftmaxRows from, SoftmaxRows to) noexcept {
  *to.m = *from.m;
  std::copy_n(from.l, DecodePartials::kDecodeLanes, to.l);
  std::copy_n(from.o, from.stride, to.o);
}

}  // namespace fovea
