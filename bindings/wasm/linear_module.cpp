/// Linear attention, its random features and random parameters.

#include <emscripten/bind.h>

#include "abi.hpp"
#include "core/random.hpp"
#include "linear_args.hpp"
#include "linear_attention/favor.hpp"
#include "linear_attention/feature_maps.hpp"
#include "module.hpp"
#include "ops/unit_rows.hpp"

namespace fovea::wasm {
namespace {

std::uint32_t run_linear_attention(std::uint32_t block) {
  const LinearArgs args = linear_args(*pointer<LinearBlock>(block));
  return with_workspace(linear_workspace_bytes(args, pool.threads()),
                        [&](Workspace scratch) { return linear_attention(args, scratch, &pool); });
}

std::uint32_t run_unit_rows(std::uint32_t block) {
  const UnitRowsBlock& words = *pointer<UnitRowsBlock>(block);
  unit_rows(
      {words.batch, words.heads, words.tokens, words.width, {words.x, words.x_batch, words.x_head, words.x_token}, words.y},
      &pool);
  return static_cast<std::uint32_t>(Status::Ok);
}

std::uint32_t run_favor_projection(std::uint32_t block) {
  const FavorProjectionBlock& words = *pointer<FavorProjectionBlock>(block);
  const std::uint64_t seed = words.seed + (std::uint64_t{words.redraw} << 53);
  return with_workspace(favor_workspace_bytes(words.width), [&](Workspace scratch) {
    return favor_projection(words.features, words.width, to_seed(seed), words.projection, scratch);
  });
}

std::uint32_t run_feature_rows(std::uint32_t block) {
  const FeaturesBlock& words = *pointer<FeaturesBlock>(block);
  const Features features = {static_cast<FeatureMap>(words.feature_map), words.width, words.random_features, words.projection};
  write_feature_rows(features, words.x, words.x_row, words.rows, words.scale, words.shared != 0, words.y);
  return static_cast<std::uint32_t>(Status::Ok);
}

std::uint32_t run_parameter_normals(std::uint32_t block) {
  const NormalsBlock& words = *pointer<NormalsBlock>(block);
  parameter_normals(to_seed(words.seed), words.name, words.scale, words.count, words.y);
  return static_cast<std::uint32_t>(Status::Ok);
}

std::uint32_t run_selection_samples(std::uint32_t block) {
  const SelectionBlock& words = *pointer<SelectionBlock>(block);
  selection_samples(to_seed(words.seed), words.role, words.batch, words.tokens, words.probability, words.samples);
  return static_cast<std::uint32_t>(Status::Ok);
}

}  // namespace

EMSCRIPTEN_BINDINGS(linear) {
  emscripten::function("linearAttention", &run_linear_attention);
  emscripten::function("unitRows", &run_unit_rows);
  emscripten::function("favorProjection", &run_favor_projection);
  emscripten::function("featureRows", &run_feature_rows);
  emscripten::function("parameterNormals", &run_parameter_normals);
  emscripten::function("selectionSamples", &run_selection_samples);
}

}  // namespace fovea::wasm
