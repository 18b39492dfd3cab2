/// Operations that know no attention, on any sizes and magnitudes, against their definitions in double.

#include "fuzz/target.hpp"
#include "support/convolution.hpp"
#include "support/norm_lines.hpp"
#include "support/product.hpp"
#include "support/row_normalizers.hpp"
#include "support/softmax.hpp"

namespace fovea::test {
namespace {

const std::vector<std::size_t> kLengths = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 63, 64, 65, 130};

void check_product(Random& random) {
  const std::size_t m = random.pick(kLengths), k = random.pick(kLengths), n = random.pick(kLengths);
  const bool transposed = random.chance(0.5), with_bias = random.chance(0.5), packs = random.chance(0.5);
  Product product(m, k, n, transposed, random.size(0, 6), with_bias, random.bits());
  if (packs && k > 0 && n > 0) {
    if (product.run_packed() != Status::Ok) std::abort();
    return require(
        within_tolerance(product.c.elements(), matmul_ref(product.a.input(), product.b.input(), product.bias_or_null())));
  }
  require(product.agrees());
}

void check_softmax(Random& random) {
  const Axis axis = {random.size(1, 5), random.pick(kLengths), random.size(1, 20)};
  const float spread = random.pick<float>({1, 30, 1e4f}), middle = random.pick<float>({0, 95, -95, 1e4f});
  require(agrees(normals(axis.outer * axis.n * axis.inner, random.bits(), spread, middle), axis));
}

void check_norm(Random& random) {
  const std::size_t n = std::max<std::size_t>(1, random.pick(kLengths));
  Lines lines(random.pick<RowNorm>({RowNorm::Layer, RowNorm::Rms}), random.size(1, 9), n, random.size(1, 20),
              random.size(0, 5));
  const bool has_weight = random.chance(0.5), has_bias = random.chance(0.5), has_residual = random.chance(0.3);
  Random numbers(random.bits());
  lines.fill([&] { return numbers.normal(); });
  const auto fill = [&](std::vector<float>& array, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) array.push_back(numbers.normal());
  };
  if (has_weight) fill(lines.weight, n);
  if (has_bias) fill(lines.bias, n);
  if (has_residual) fill(lines.residual, lines.args.outer * n * lines.args.inner);
  if (lines.run() != Status::Ok) std::abort();
  require(lines.agrees());
}

void check_row_normalizers(Random& random) {
  const bool is_entmax = random.chance(0.5);
  const std::size_t n = std::max<std::size_t>(1, random.pick(kLengths));
  const float spread = random.pick<float>({0, 1e-3f, 0.3f, 1, 20, 1e6f});
  const std::vector<float> scores = draw_scores(random, n, spread);
  const NormalizedRow row = normalized(is_entmax ? entmax15 : sparsemax, scores);
  const std::vector<double> truth = bisected(scores, is_entmax);
  for (std::size_t j = 0; j < n; ++j) {
    // Half a unit for the rounding, and what bisection leaves.
    if (!(std::abs(static_cast<double>(row.p[j]) - truth[j]) <= 0x1p-24 * truth[j] + 1e-14)) std::abort();
  }
}

void check_convolution(Random& random) {
  Conv1dArgs args;
  args.batch = random.size(1, 2);
  args.groups = random.size(1, 3);
  args.in_channels = args.groups * random.pick<std::size_t>({1, 2, 3, 5, 17});
  args.out_channels = args.groups * random.pick<std::size_t>({1, 2, 7, 17});
  args.tokens = random.pick<std::size_t>({0, 1, 3, 5, 17, 63, 65});
  args.kernel = random.size(1, 5);
  args.stride = random.size(1, 3);
  args.dilation = random.size(1, 4);
  args.padding = random.size(0, 9);
  args.channels_last = random.chance(0.5);
  const std::size_t after = random.size(0, 9);
  const bool has_bias = random.chance(0.5);
  Convolution one(args, after, has_bias, random.bits());
  if (one.run() != Status::Ok) std::abort();
  require(one.agrees());
}

}  // namespace
}  // namespace fovea::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fovea::test;
  run_one_of({check_product, check_softmax, check_norm, check_row_normalizers, check_convolution}, {data, size});
  return 0;
}
