/// Lists of calls: one call from JavaScript in place of many.

#include <emscripten/bind.h>

#include <span>

#include "abi.hpp"
#include "listed_operations.hpp"
#include "module.hpp"

namespace fovea::wasm {
namespace {

std::uint32_t run_one(ListedOperation operation, std::uint32_t block) {
  switch (operation) {
    case ListedOperation::TableRows: return run_table_rows(block);
    case ListedOperation::UnpackWeights: return run_unpack_weights(block);
    case ListedOperation::RowNorm: return run_row_norm(block);
    case ListedOperation::Matmul: return run_matmul(block);
    case ListedOperation::Rotary: return run_rotary(block);
    case ListedOperation::AppendRows: return run_append_rows(block);
    case ListedOperation::Attention: return run_attention(block);
    case ListedOperation::Arithmetic: return run_arithmetic(block);
    case ListedOperation::Gate: return run_gate(block);
    case ListedOperation::Activation: return run_activation(block);
  }
  return static_cast<std::uint32_t>(Status::Value);
}

/// The status of the first call that fails; those after it are not made.
std::uint32_t run_list(std::uint32_t block) {
  const ListBlock& words = *pointer<ListBlock>(block);
  for (const ListedCallBlock& call : std::span(words.calls, words.count)) {
    const std::uint32_t status = run_one(static_cast<ListedOperation>(call.operation), call.block);
    if (status != static_cast<std::uint32_t>(Status::Ok)) return status;
  }
  return static_cast<std::uint32_t>(Status::Ok);
}

}  // namespace

EMSCRIPTEN_BINDINGS(list) { emscripten::function("list", &run_list); }

}  // namespace fovea::wasm
