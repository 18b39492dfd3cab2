/// Position vectors.

#include <emscripten/bind.h>

#include "abi.hpp"
#include "layer_args.hpp"
#include "listed_operations.hpp"
#include "module.hpp"
#include "ops/positions.hpp"

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
  const RotaryArgs args = rotary_args(*pointer<RotaryBlock>(block));
  return with_workspace(rotary_workspace_bytes(args, pool.threads()),
                        [&](Workspace scratch) { return rotary(args, scratch, &pool); });
}

EMSCRIPTEN_BINDINGS(position) {
  emscripten::function("sinusoidal", &run_sinusoidal);
  emscripten::function("tableRows", &run_table_rows);
  emscripten::function("rotary", &run_rotary);
}

}  // namespace fovea::wasm
