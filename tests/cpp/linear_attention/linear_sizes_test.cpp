/// Workspaces of linear attention and of layers whose sizes multiply beyond 2^32 and 2^64: told as they are, never wrapped.

#include "gemm/matmul.hpp"
#include "linear_attention/favor.hpp"
#include "ops/conv1d.hpp"
#include "ops/rotary.hpp"
#include "ops/row_norm.hpp"
#include "ops/softmax.hpp"
#include "support/linear.hpp"

namespace fovea::test {
namespace {

constexpr std::uint64_t kAddresses = std::uint64_t{1} << 32;  // bytes
const float kNumber = 0.5f;

LinearArgs call(FeatureMap map, std::size_t width, std::size_t random = 0) {
  LinearArgs args;
  args.batch = args.heads = args.kv_heads = args.keys = args.queries = args.value_width = 1;
  args.width = width;
  args.features = {map, width, random, &kNumber};
  return args;
}

void expect_beyond_memory(LinearArgs args, const char* what) {
  float memory[64];
  for (const bool causal : {false, true}) {
    args.causal = causal;
    for (const std::size_t threads : {1u, 8u}) EXPECT_GE(linear_workspace_bytes(args, threads), kAddresses) << what;
    EXPECT_EQ(linear_attention(args, {memory, sizeof memory}), Status::Memory) << what;
  }
}

}  // namespace

TEST(LinearSizes, FeaturesAreToldWithoutWrapping) {
  for (const std::size_t width : {12000u, 65536u, 3000000u}) expect_beyond_memory(call(FeatureMap::Taylor, width), "taylor");
  expect_beyond_memory(call(FeatureMap::Taylor, kLargestCount), "taylor");
  expect_beyond_memory(call(FeatureMap::Identity, kLargestCount), "identity");
  LinearArgs favor = call(FeatureMap::Favor, 300, std::size_t{1} << 22);
  favor.value_width = 300;
  expect_beyond_memory(favor, "favor");
}

TEST(LinearSizes, AProjectionIsToldWithoutWrapping) {
  float memory[64], projection = kPoison;
  for (const std::size_t width : {std::size_t{32768}, std::size_t{1} << 30}) {
    EXPECT_GE(favor_workspace_bytes(width), 8 * std::uint64_t{width} * width);
    EXPECT_EQ(favor_projection(1, width, {}, &projection, {memory, sizeof memory}), Status::Memory);
    EXPECT_EQ(bits_of(projection), bits_of(kPoison));
  }
}

TEST(LinearSizes, CallsWithoutResultsNeedNothingAndEndAtOnce) {
  LinearArgs args = call(FeatureMap::Taylor, kLargestCount);
  args.batch = 0;
  args.heads = kLargestCount;
  EXPECT_EQ(linear_workspace_bytes(args), 0u);
  EXPECT_EQ(linear_attention(args, {nullptr, 0}), Status::Ok);
}

TEST(LinearSizes, LayersAreToldWithoutWrapping) {
  EXPECT_GE(softmax_workspace_bytes(std::size_t{1} << 29, 16), kAddresses);
  EXPECT_GE(softmax_workspace_bytes(kLargestCount, kLargestCount, 32), kAddresses);
  EXPECT_GE(row_norm_workspace_bytes(std::size_t{1} << 29, 16), kAddresses);
  EXPECT_GE(row_norm_workspace_bytes(kLargestCount, kLargestCount, 32), kAddresses);
  RotaryArgs turned;
  turned.rotary = turned.width = kLargestCount - 1;
  EXPECT_EQ(rotary_workspace_bytes(turned, 32), 0u) << "without rows";
  turned.batch = turned.heads = 1;
  EXPECT_GE(rotary_workspace_bytes(turned, 32), kAddresses);
  Conv1dArgs convolved;
  convolved.in_channels = convolved.out_channels = 1;
  convolved.groups = 1;
  convolved.batch = convolved.tokens = convolved.out_tokens = 1;
  convolved.in_channels = 2;
  for (const std::size_t kernel : {std::size_t{8200000}, kLargestCount}) {
    convolved.kernel = kernel;
    EXPECT_GE(conv1d_workspace_bytes(convolved), kAddresses);
    float memory[64];
    EXPECT_EQ(conv1d(convolved, {memory, sizeof memory}), Status::Memory);
  }
}

}  // namespace fovea::test
