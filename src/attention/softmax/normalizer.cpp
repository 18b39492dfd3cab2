#include "attention/softmax/normalizer.hpp"

namespace fovea {

bool sums_values(const AttentionArgs& args) noexcept {
  const NormalizerKind kind = args.variant.normalizer.kind;
  return kind == NormalizerKind::Softmax || kind == NormalizerKind::Relu || kind == NormalizerKind::Sigmoid;
}

bool needs_full_row(const AttentionArgs& args) noexcept {
  const NormalizerKind kind = args.variant.normalizer.kind;
  return kind == NormalizerKind::Sparsemax || kind == NormalizerKind::Entmax15;
}

bool normalizes_lists(const AttentionArgs& args) noexcept {
  return args.plans != nullptr && (needs_full_row(args) || args.variant.normalizer.kind == NormalizerKind::TopK);
}

}  // namespace fovea
