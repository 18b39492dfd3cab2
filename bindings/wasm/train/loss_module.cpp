/// Losses and their gradients.

#include <emscripten/bind.h>

#include "abi.hpp"
#include "losses/cross_entropy.hpp"
#include "losses/mean_squared_error.hpp"
#include "module.hpp"

namespace fovea::wasm {
namespace {

CrossEntropyArgs cross_entropy_args(const CrossEntropyBlock& words) noexcept {
  return {words.rows, words.classes, words.x, words.x_row, words.targets, words.ignore_index, words.weights, words.statistics};
}

std::uint32_t run_cross_entropy(std::uint32_t block) {
  const CrossEntropyBlock& words = *pointer<CrossEntropyBlock>(block);
  return with_workspace(cross_entropy_workspace_bytes(words.rows), [&](Workspace scratch) {
    return cross_entropy(cross_entropy_args(words), words.loss, scratch, &pool);
  });
}

std::uint32_t run_cross_entropy_backward(std::uint32_t block) {
  const CrossEntropyBackwardBlock& words = *pointer<CrossEntropyBackwardBlock>(block);
  return with_workspace(cross_entropy_workspace_bytes(words.forward->rows), [&](Workspace scratch) {
    return cross_entropy_backward(cross_entropy_args(*words.forward), words.d_loss, words.d_x, scratch, &pool);
  });
}

std::uint32_t run_mean_squared_error(std::uint32_t block) {
  const MeanSquaredErrorBlock& words = *pointer<MeanSquaredErrorBlock>(block);
  return with_workspace(mean_squared_error_workspace_bytes(words.count), [&](Workspace scratch) {
    return mean_squared_error(words.x, words.target, words.count, words.loss, scratch, &pool);
  });
}

std::uint32_t run_mean_squared_error_backward(std::uint32_t block) {
  const MeanSquaredErrorBackwardBlock& words = *pointer<MeanSquaredErrorBackwardBlock>(block);
  const MeanSquaredErrorBlock& forward = *words.forward;
  mean_squared_error_backward(forward.x, forward.target, forward.count, words.d_loss, words.d_x, words.d_target, &pool);
  return static_cast<std::uint32_t>(Status::Ok);
}

}  // namespace

EMSCRIPTEN_BINDINGS(losses) {
  emscripten::function("crossEntropy", &run_cross_entropy);
  emscripten::function("crossEntropyBackward", &run_cross_entropy_backward);
  emscripten::function("meanSquaredError", &run_mean_squared_error);
  emscripten::function("meanSquaredErrorBackward", &run_mean_squared_error_backward);
}

}  // namespace fovea::wasm
