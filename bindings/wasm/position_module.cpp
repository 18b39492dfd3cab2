/// Position vectors.

#include <emscripten/bind.h>

#include "abi.hpp"
#include "listed_operations.hpp"
#include "module.hpp"
#include "ops/positions.hpp"
#include "ops/rotary.hpp"

namespace fovea::wasm {
namespace {

std::uint32_t run_sinusoidal(std::uint32_t block) {
  const SinusoidalBlock& words = *pointer<SinusoidalBlock>(block);
  sinusoidal(static_cast<SinusoidalForm>(words.form), words.base, words.start, words.tokens, words.width, words.y);
  return static_cast<std::uint32_t>(Status::Ok);
}

}  // namespace

std::uint32_t run_table_rows(std::uint32_t block) {
  const TableRowsBlock& words = *pointer<TableRowsBlock>(block);
  return static_cast<std::uint32_t>(
      table_rows(words.table, words.rows, words.width, words.positions, words.start, words.tokens, words.y));
}

std::uint32_t run_rotary(std::uint32_t block) {
  const RotaryBlock& words = *pointer<RotaryBlock>(block);
  RotaryArgs args;
  args.interleaved = words.interleaved != 0;
  args.batch = words.batch;
  args.heads = words.heads;
  args.tokens = words.tokens;
  args.width = words.width;
  args.rotary = words.rotary;
  args.x = {words.x, words.x_batch, words.x_head, words.x_token};
  args.out = {words.output, words.output_batch, words.output_head, words.output_token};
  args.positions = words.positions;
  args.positions_batch = words.positions_batch;
  args.start = words.start;
  args.frequencies = {words.base,           words.scale,          words.ntk, words.factor, words.low_frequency,
                      words.high_frequency, words.original_tokens};
  args.cos = words.cos;
  args.sin = words.sin;
  args.table_rows = words.table_rows;
  return with_workspace(rotary_workspace_bytes(args, pool.threads()),
                        [&](Workspace scratch) { return rotary(args, scratch, &pool); });
}

EMSCRIPTEN_BINDINGS(position) {
  emscripten::function("sinusoidal", &run_sinusoidal);
  emscripten::function("tableRows", &run_table_rows);
  emscripten::function("rotary", &run_rotary);
}

}  // namespace fovea::wasm
