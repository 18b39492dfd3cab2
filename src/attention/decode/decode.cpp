#include "attention/decode/decode.hpp"

#include <algorithm>

#include "attention/decode/decode_chunk.hpp"
#include "attention/score/relative_keys.hpp"
#include "attention/score/score_products.hpp"
#include "attention/softmax/normalized_rows.hpp"
#include "attention/softmax/normalizer.hpp"
#include "attention/softmax/relative_values.hpp"
#include "attention/softmax/row_results.hpp"
#include "attention/softmax/weight_scale.hpp"
#include "core/infinity.hpp"
#include "core/saturated.hpp"
#include "gemm/gathered_rows.hpp"

namespace fovea {
namespace {

/// Calls visit(head, query, row of the group).
template <class Visit>
void for_each_row(const AttentionArgs& args, const DecodeGroup& group, Visit visit) noexcept {
  for (std::size_t h = 0; h < group.heads; ++h) {
    for (std::size_t i = args.query_from; i < args.query_to; ++i) visit(group.first_head + h, i, h * args.queries + i);
  }
}

/// Every row's query times the scale, and its products with rK.
void prepare_rows(const AttentionArgs& args, const DecodePartials& partials, const DecodeGroup& group,
                  std::size_t slot) noexcept {
  for_each_row(args, group, [&](std::size_t h, std::size_t i, std::size_t row) {
    float* const query = partials.query(slot, row);
    scale_query(args, args.q.row(group.batch, h, i), query);
    if (const RelativeTable& keys = args.variant.relative_keys; keys.data != nullptr) {
      gathered_dots(query, {keys.of(h), static_cast<std::ptrdiff_t>(args.width)}, keys.distances(), args.width,
                    partials.products(slot, row));
    }
  });
}

/// -inf for the scores that no tile will write.
void start_weights(const AttentionArgs& args, const DecodeGroup& group) noexcept {
  if (args.weights == nullptr) return;
  for_each_row(args, group, [&](std::size_t h, std::size_t i, std::size_t) {
    std::fill_n(weights_row(args, group.batch, h, i), args.keys, kMinusInfinity);
  });
}

/// -inf for the kept scores that no tile will write.
void start_scores(const AttentionArgs& args, const DecodePartials& partials, const DecodeGroup& group,
                  std::size_t slot) noexcept {
  for_each_row(args, group, [&](std::size_t, std::size_t, std::size_t row) {
    std::fill_n(partials.kept_scores(slot, row), partials.sizes.scores, kMinusInfinity);
  });
}

/// The kept scores of a group <- weights; rows of top-k are written.
void normalize_scores(const AttentionArgs& args, const DecodePartials& partials, const DecodeGroup& group, std::size_t slot,
                      const ChunkScratch& scratch) noexcept {
  for_each_row(args, group, [&](std::size_t h, std::size_t i, std::size_t row) {
    float* const scores = partials.kept_scores(slot, row);
    if (!needs_full_row(args)) return write_top_k_of(args, group.batch, h, i, scores, scratch.best);
    partials.kind(slot, row) = normalize_row(args, scores, args.keys, scratch.sorted);
    scale_weights(args, group.batch, h, i, {0, args.keys}, scores);
  });
}

/// The rows of output, weights and lse of a group, of the sums over all its keys in the step `slot`.
void write_rows(const AttentionArgs& args, const DecodePartials& partials, const DecodeGroup& group, std::size_t slot,
                std::size_t group_slot) noexcept {
  for_each_row(args, group, [&](std::size_t h, std::size_t i, std::size_t row) {
    if (chooses_key(args)) return write_argmax_row(args, group.batch, h, i, *partials.argmax_rows(slot, row));
    const SoftmaxRows sums = partials.rows(slot, row);
    add_relative_values(args, h, sums.o, partials.sizes.value_floats);
    if (needs_full_row(args)) {
      return write_normalized(args, group.batch, h, i, partials.kind(group_slot, row), partials.kept_scores(group_slot, row),
                              sums.o);
    }
    if (row_state(args) == RowState::Softmax) {
      write_row(args, group.batch, h, i, *sums.m, sums.l, sums.o);
    } else {
      write_pointwise_row(args, group.batch, h, i, {{sums.o, sums.stride}, sums.l});
    }
  });
}

/// The rows of the step `part` are merged into those of the step `total`, of keys before.
void merge_rows(const AttentionArgs& args, const DecodePartials& partials, const DecodeGroup& group, std::size_t total,
                std::size_t part) noexcept {
  const auto merge_sums = row_state(args) == RowState::Softmax ? merge_softmax : merge_pointwise;
  for_each_row(args, group, [&](std::size_t, std::size_t, std::size_t row) {
    if (chooses_key(args)) return merge(*partials.argmax_rows(total, row), *partials.argmax_rows(part, row));
    merge_sums(partials.rows(total, row), partials.rows(part, row));
  });
}

/// Merges the steps [first, first + count) in order, writes the groups that end, and carries the sums of one that does not.
void merge_wave(const AttentionArgs& args, const DecodePartials& partials, std::uint64_t first, std::size_t count) noexcept {
  const std::size_t chunks = partials.sizes.chunks.count, carried = partials.carried();
  std::size_t total = carried;
  DecodeGroup group{};
  for (std::size_t slot = 0; slot < count; ++slot) {
    const std::uint64_t step = first + slot;
    group = partials.sizes.group(args, step / chunks);
    if (step % chunks == 0) {
      total = slot;
    } else {
      merge_rows(args, partials, group, total, slot);
    }
    if (step % chunks == chunks - 1)
      write_rows(args, partials, group, total, static_cast<std::size_t>(step / chunks - first / chunks));
  }
  if ((first + count) % chunks == 0 || total == carried) return;
  for_each_row(args, group, [&](std::size_t, std::size_t, std::size_t row) {
    if (chooses_key(args)) *partials.argmax_rows(carried, row) = *partials.argmax_rows(total, row);
    copy_row(partials.rows(total, row), partials.rows(carried, row));
  });
}

/// Groups with one chunk of keys are computed each as a whole, with the memory of the thread that does it.
void decode_short(const AttentionArgs& args, const DecodeScratch& scratch, ThreadPool* pool) noexcept {
  const DecodePartials& partials = scratch.partials;
  parallel_for(pool, clamped_count(partials.sizes.steps), [&](std::size_t step, std::size_t thread) {
    const DecodeGroup group = partials.sizes.group(args, step);
    Workspace own = scratch.chunks.of(thread);
    prepare_rows(args, partials, group, thread);
    start_weights(args, group);
    const DecodeChunk chunk = {group, partials.sizes.chunks.at(0) * kDecodeChunk, thread, thread};
    const ChunkScratch chunk_scratch(args, own);
    if (!keeps_scores(args)) {
      attend_chunk(args, partials, chunk, chunk_scratch, ChunkPass::Whole);
    } else {
      start_scores(args, partials, group, thread);
      attend_chunk(args, partials, chunk, chunk_scratch, ChunkPass::Scores);
      normalize_scores(args, partials, group, thread, chunk_scratch);
      if (!needs_full_row(args)) return;
      attend_chunk(args, partials, chunk, chunk_scratch, ChunkPass::Values);
    }
    write_rows(args, partials, group, thread, thread);
  });
}

}  // namespace

DecodeScratch::DecodeScratch(const AttentionArgs& args, std::size_t threads, Workspace& workspace) noexcept
    : partials(args, threads, workspace), chunks(workspace, threads, [&](Workspace& own) { ChunkScratch(args, own); }) {}

void decode(const AttentionArgs& args, const DecodeScratch& scratch, ThreadPool* pool) noexcept {
  const DecodePartials& partials = scratch.partials;
  const DecodeSizes& sizes = partials.sizes;
  if (sizes.chunks.count == 1) return decode_short(args, scratch, pool);
  const std::size_t chunks = sizes.chunks.count;
  for (std::uint64_t first = 0; first < sizes.steps; first += sizes.wave) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(sizes.wave, sizes.steps - first));
    const std::uint64_t first_group = first / chunks;
    for (std::uint64_t group = first_group; group * chunks < first + count; ++group) {
      prepare_rows(args, partials, sizes.group(args, group), static_cast<std::size_t>(group - first_group));
      if (group * chunks >= first) start_weights(args, sizes.group(args, group));
      if (keeps_scores(args))
        start_scores(args, partials, sizes.group(args, group), static_cast<std::size_t>(group - first_group));
    }
    const auto attend = [&](ChunkPass pass) {
      parallel_for(pool, count, [&](std::size_t slot, std::size_t thread) {
        const std::uint64_t group = (first + slot) / chunks;
        const auto which = static_cast<std::size_t>((first + slot) % chunks);
        const DecodeChunk chunk = {sizes.group(args, group), sizes.chunks.at(which) * kDecodeChunk, slot,
                                   static_cast<std::size_t>(group - first_group)};
        Workspace own = scratch.chunks.of(thread);
        attend_chunk(args, partials, chunk, ChunkScratch(args, own), pass);
      });
    };
    if (!keeps_scores(args)) {
      attend(ChunkPass::Whole);
    } else {
      attend(ChunkPass::Scores);
      parallel_for(pool, count / chunks, [&](std::size_t slot, std::size_t thread) {
        Workspace own = scratch.chunks.of(thread);
        normalize_scores(args, partials, sizes.group(args, first_group + slot), slot, ChunkScratch(args, own));
      });
      if (!needs_full_row(args)) continue;
      attend(ChunkPass::Values);
    }
    merge_wave(args, partials, first, count);
  }
}

}  // namespace fovea
