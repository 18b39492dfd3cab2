/// Caches of keys and values.

#include <emscripten/bind.h>

#include "abi.hpp"
#include "attention/cache/append_rows.hpp"
#include "listed_operations.hpp"
#include "module.hpp"

namespace fovea::wasm {

std::uint32_t run_append_rows(std::uint32_t block) {
  const AppendBlock& words = *pointer<AppendBlock>(block);
  AppendArgs args;
  args.batch = words.batch;
  args.heads = words.heads;
  args.tokens = words.tokens;
  args.width = words.width;
  args.from = {words.from, words.from_batch, words.from_head, words.from_token};
  if (words.float16 != 0) {
    args.float16 = static_cast<std::uint16_t*>(words.rows);
  } else {
    args.floats = static_cast<float*>(words.rows);
  }
  args.rows = words.capacity;
  args.at = words.at;
  args.irregular = words.irregular;
  return static_cast<std::uint32_t>(append_rows(args));
}

EMSCRIPTEN_BINDINGS(cache) { emscripten::function("appendRows", &run_append_rows); }

}  // namespace fovea::wasm
