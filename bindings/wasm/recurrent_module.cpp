/// Recurrent layers.

#include <emscripten/bind.h>

#include "abi.hpp"
#include "module.hpp"
#include "recurrent_args.hpp"

namespace fovea::wasm {
namespace {

std::uint32_t run_recurrent(std::uint32_t block) {
  const RecurrentArgs args = recurrent_args(*pointer<RecurrentBlock>(block));
  return with_workspace(recurrent_workspace_bytes(args, pool.threads()),
                        [&](Workspace scratch) { return recurrent(args, scratch, &pool); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(recurrent) { emscripten::function("recurrent", &run_recurrent); }

}  // namespace fovea::wasm
