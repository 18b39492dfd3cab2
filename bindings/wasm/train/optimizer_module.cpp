/// Steps of optimizers, and what clipping needs.

#include <emscripten/bind.h>

#include "abi.hpp"
#include "module.hpp"
#include "optimizers/adam.hpp"
#include "optimizers/gradient_norm.hpp"
#include "optimizers/sgd.hpp"

namespace fovea::wasm {
namespace {

constexpr auto kOk = static_cast<std::uint32_t>(Status::Ok);

std::uint32_t run_squared_norm(std::uint32_t block) {
  const SquaredNormBlock& words = *pointer<SquaredNormBlock>(block);
  return with_workspace(squared_norm_workspace_bytes(words.count),
                        [&](Workspace scratch) { return squared_norm(words.x, words.count, words.norm, scratch, &pool); });
}

std::uint32_t run_scale(std::uint32_t block) {
  const ScaleBlock& words = *pointer<ScaleBlock>(block);
  scale(words.factor, words.count, words.x, &pool);
  return kOk;
}

std::uint32_t run_sgd(std::uint32_t block) {
  const SgdBlock& words = *pointer<SgdBlock>(block);
  const SgdArgs args = {words.learning_rate, words.momentum,      words.dampening,
                        words.weight_decay,  words.nesterov != 0, words.is_first != 0};
  sgd(args, words.count, words.gradient, words.parameter, words.moment, &pool);
  return kOk;
}

std::uint32_t run_adam(std::uint32_t block) {
  const AdamBlock& words = *pointer<AdamBlock>(block);
  const AdamArgs args = {words.learning_rate, words.beta1,       words.beta2,       words.eps,
                         words.weight_decay,  words.beta1_power, words.beta2_power, words.decoupled != 0};
  adam(args, words.count, {words.gradient, words.parameter, words.first_moment, words.second_moment}, &pool);
  return kOk;
}

}  // namespace

EMSCRIPTEN_BINDINGS(optimizers) {
  emscripten::function("squaredNorm", &run_squared_norm);
  emscripten::function("scale", &run_scale);
  emscripten::function("sgd", &run_sgd);
  emscripten::function("adam", &run_adam);
}

}  // namespace fovea::wasm
