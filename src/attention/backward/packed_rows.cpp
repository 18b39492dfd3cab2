#include "attention/backward/packed_rows.hpp"

#include <algorithm>

#include "attention/score/score_products.hpp"
#include "simd/map_onto.hpp"

namespace fovea {
namespace {

/// Strips of a tile of keys, with what a product may read and write beyond the last.
constexpr std::size_t kKeyRows = round_up(kKeyTile, kMr);

/// The call with values and rV in the places of keys and rK: rows of d_output have products with them as queries with keys.
AttentionArgs with_values_as_keys(const AttentionArgs& forward) noexcept {
  AttentionArgs args = forward;
  args.width = forward.value_width;
  args.variant.relative_keys = forward.variant.relative_values;
  return args;
}

/// row[c] <- row[c] + the sums of key j
void add_row(const float* sums, std::size_t rows, std::size_t j, std::size_t width, float* row) noexcept {
  for (std::size_t c = 0; c < width; c += kNr) add_onto(row + c, std::min(kNr, width - c), sums + (c * rows + j * kNr));
}

}  // namespace

PackedQueries::PackedQueries(const AttentionBackwardArgs& args, Workspace& workspace) noexcept
    : q(workspace.take<float>(kBackwardRows, args.forward.width)),
      d_output(workspace.take<float>(kBackwardRows, args.forward.value_width)),
      q_columns(workspace.take<float>(kBackwardRows, round_up(args.forward.width, kNr))),
      d_output_columns(workspace.take<float>(kBackwardRows, round_up(args.forward.value_width, kNr))),
      relative_keys(args.forward, kBackwardRows, workspace),
      relative_values(with_values_as_keys(args.forward), kBackwardRows, workspace),
      terms(workspace, kBackwardRows),
      block{},
      finite(true) {}

void PackedQueries::pack(const AttentionBackwardArgs& args, const RowTerms& rows, const QueryBlock& of,
                         const WantedGradients& wanted, const std::uint32_t* of_list) noexcept {
  const AttentionArgs& forward = args.forward;
  block = of;
  list = of_list;
  finite = true;
  terms.set(args, rows, of, tokens());
  const SourceRows queries = source_rows(forward.q, of.batch, of.head, tokens());
  for (std::size_t row = 0; row < of.count; row += kMr) {
    pack_query_panel(forward, queries.from(row), std::min(kMr, of.count - row), q + row * forward.width);
  }
  const std::size_t strips = (of.count + kMr - 1) / kMr;
  relative_keys.multiply(forward, of.head, q, strips);
  const bool is_additive = forward.variant.score == Score::Additive;
  if (wanted.d_k || (is_additive && wanted.scores())) {
    pack_columns(queries, of.count, forward.width, 0, of.count, q_columns);
    finite = is_additive || all_finite(q_columns, of.count, forward.width);
  }
  if (args.d_output.data == nullptr) return;
  const SourceRows gradients = source_rows(args.d_output, of.batch, of.head, tokens());
  for (std::size_t row = 0; row < of.count && wanted.scores(); row += kMr) {
    pack_row_panel(gradients.from(row), std::min(kMr, of.count - row), forward.value_width, 1.0f,
                   d_output + row * forward.value_width);
  }
  if (wanted.scores() && forward.variant.relative_values.data != nullptr) {
    relative_values.multiply(with_values_as_keys(forward), of.head, d_output, strips);
  }
  if (wanted.d_v) {
    pack_columns(gradients, of.count, forward.value_width, 0, of.count, d_output_columns);
    finite = finite && all_finite(d_output_columns, of.count, forward.value_width);
  }
}

PackedKeys::PackedKeys(const AttentionBackwardArgs& args, Workspace& workspace) noexcept
    : k(workspace.take<float>(kKeyTile, args.forward.width)),
      v(workspace.take<float>(kKeyTile, args.forward.value_width)),
      k_columns(workspace.take<float>(kKeyTile, round_up(args.forward.width, kNr))),
      d_k(workspace.take<float>(kKeyRows, round_up(args.forward.width, kNr))),
      d_v(workspace.take<float>(kKeyRows, round_up(args.forward.value_width, kNr))),
      batch(0),
      kv_head(0),
      finite(true) {}

void PackedKeys::pack(const AttentionBackwardArgs& args, std::size_t of_batch, std::size_t of_kv_head, const TokenList& of_keys,
                      const WantedGradients& wanted) noexcept {
  const AttentionArgs& forward = args.forward;
  batch = of_batch;
  kv_head = of_kv_head;
  tokens = of_keys;
  const std::size_t count = tokens.count;
  finite = true;
  const SourceRows keys = source_rows(forward.k, batch, kv_head, tokens);
  pack_key_panels(forward, keys, count, k);
  if (wanted.scores() && args.d_output.data != nullptr) {
    pack_columns_of_transpose(source_rows(forward.v, batch, kv_head, tokens), count, forward.value_width, v);
  }
  const bool is_additive = forward.variant.score == Score::Additive;
  if (wanted.d_q || (is_additive && wanted.scores())) {
    pack_columns(keys, count, forward.width, 0, count, k_columns);
    finite = is_additive || all_finite(k_columns, count, forward.width);
  }
  if (wanted.d_k) std::fill_n(d_k, kKeyRows * round_up(forward.width, kNr), 0.0f);
  if (wanted.d_v) std::fill_n(d_v, kKeyRows * round_up(forward.value_width, kNr), 0.0f);
}

void PackedKeys::add_sums(const AttentionBackwardArgs& args, const WantedGradients& wanted) const noexcept {
  const std::size_t count = tokens.count, rows = round_up(count, kMr);
  for (std::size_t j = 0; j < count && wanted.d_k; ++j) {
    add_row(d_k, rows, j, args.forward.width, args.d_k.row(batch, kv_head, tokens.at(j)));
  }
  for (std::size_t j = 0; j < count && wanted.d_v; ++j) {
    add_row(d_v, rows, j, args.forward.value_width, args.d_v.row(batch, kv_head, tokens.at(j)));
  }
}

}  // namespace fovea
