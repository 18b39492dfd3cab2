#pragma once
/// A convolution with its arrays.

#include "ops/conv1d.hpp"
#include "reference/layers.hpp"
#include "support/random.hpp"
#include "support/scratch.hpp"

namespace fovea::test {

struct Convolution {
  Conv1dArgs args;
  std::vector<float> x, weight, bias, y;

  Convolution(const Conv1dArgs& sizes, std::size_t padding_after, bool with_bias, std::uint64_t seed) : args(sizes) {
    const std::size_t places = args.padding + args.tokens + padding_after, reach = (args.kernel - 1) * args.dilation + 1;
    args.out_tokens = places < reach ? 0 : (places - reach) / args.stride + 1;
    Random random(seed);
    x.reserve(1);  // no array is at address 0
    x.resize(args.batch * args.in_channels * args.tokens);
    weight.resize(args.out_channels * args.depth());
    bias.resize(with_bias ? args.out_channels : 0);
    for (auto* array : {&x, &weight, &bias}) {
      for (float& number : *array) number = random.normal();
    }
  }

  Status run(ThreadPool* pool = nullptr, std::size_t short_by = 0) {
    y.assign(args.batch * args.out_channels * args.out_tokens + 4, kPoison);
    args.x = x.data();
    args.weight = weight.data();
    args.bias = bias.empty() ? nullptr : bias.data();
    args.y = y.data();
    Scratch scratch(conv1d_workspace_bytes(args, threads_of(pool)), short_by, kPoison);
    const Status status = conv1d(args, scratch.workspace(), pool);
    return scratch.guard_intact() && all_poison(std::span(y).last(4)) ? status : Status::Internal;
  }

  testing::AssertionResult agrees() const { return within_tolerance(std::span(y).first(y.size() - 4), conv1d_ref(args)); }
};

}  // namespace fovea::test
