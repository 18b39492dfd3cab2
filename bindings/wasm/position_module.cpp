/// Position vectors.

#include <emscripten/bind.h>

#include "blocks.hpp"
#include "module.hpp"
#include "ops/positions.hpp"
#include "ops/rotary.hpp"

namespace fovea::wasm {
namespace {

std::uint32_t run_sinusoidal(std::uint32_t block) {
  const SinusoidalBlock& words = *pointer<SinusoidalBlock>(block);
  sinusoidal(static_cast<SinusoidalForm>(words.form), *pointer<const double>(words.parameters), words.start, words.tokens,
             words.width, pointer<float>(words.y));
  return static_cast<std::uint32_t>(Status::Ok);
}

std::uint32_t run_table_rows(std::uint32_t block) {
  const TableRowsBlock& words = *pointer<TableRowsBlock>(block);
  return static_cast<std::uint32_t>(table_rows(pointer<const float>(words.table), words.rows, words.width,
                                               pointer<const std::int32_t>(words.positions), words.start, words.tokens,
                                               pointer<float>(words.y)));
}

std::uint32_t run_rotary(std::uint32_t block) {
  const RotaryBlock& words = *pointer<RotaryBlock>(block);
  const double* const parameters = pointer<const double>(words.parameters);
  RotaryArgs args;
  args.interleaved = words.interleaved != 0;
  args.batch = words.batch;
  args.heads = words.heads;
  args.tokens = words.tokens;
  args.width = words.width;
  args.rotary = words.rotary;
  args.x = {pointer<const float>(words.x), words.x_batch, words.x_head, words.x_token};
  args.out = {pointer<float>(words.output), words.output_batch, words.output_head, words.output_token};
  args.positions = pointer<const std::int32_t>(words.positions);
  args.positions_batch = words.positions_batch;
  args.start = words.start;
  args.frequencies = {parameters[0], parameters[1], parameters[2], parameters[3], parameters[4], parameters[5], parameters[6]};
  args.cos = pointer<const float>(words.cos);
  args.sin = pointer<const float>(words.sin);
  args.table_rows = words.table_rows;
  return with_workspace(rotary_workspace_floats(args, pool.threads()),
                        [&](Workspace scratch) { return rotary(args, scratch, &pool); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(position) {
  emscripten::function("sinusoidal", &run_sinusoidal);
  emscripten::function("tableRows", &run_table_rows);
  emscripten::function("rotary", &run_rotary);
  emscripten::function(
      "positionAbiHash", +[] { return position_abi_hash(); });
}

}  // namespace fovea::wasm
