#include "attention/problem/attention_inputs.hpp"

namespace fovea {

Status check_inputs(const AttentionInputs& inputs) noexcept {
  if (inputs.width == 0 || inputs.kv_heads == 0 || inputs.heads % inputs.kv_heads != 0) return Status::Shape;
  if (inputs.appended_keys > inputs.keys) return Status::Shape;
  if (inputs.window_left < kUnbounded || inputs.window_right < kUnbounded) return Status::Value;
  for (std::size_t b = 0; inputs.key_lengths != nullptr && b < inputs.batch; ++b) {
    if (inputs.key_lengths[b] < 0 || static_cast<std::size_t>(inputs.key_lengths[b]) > inputs.positioned_keys()) {
      return Status::Value;
    }
  }
  return Status::Ok;
}

}  // namespace fovea
