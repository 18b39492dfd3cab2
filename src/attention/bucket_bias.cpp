#include "attention/bucket_bias.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace fovea {
namespace {

/// Of one direction.
std::size_t buckets_of(const BucketTable& table) noexcept { return table.bidirectional ? table.buckets / 2 : table.buckets; }

/// The farthest distance that the table by distance has to tell.
std::size_t reach_of(const AttentionArgs& args) noexcept {
  std::int64_t farthest = 0;
  for (std::size_t b = 0; b < args.batch; ++b) {
    const Place place = args.place(b);
    const std::int64_t first = place.position(0), last = place.position(args.queries) - 1;
    farthest = std::max({farthest, std::abs(last), std::abs(static_cast<std::int64_t>(args.keys) - 1 - first)});
  }
  return std::min(args.axes.buckets.max_distance, static_cast<std::size_t>(farthest));
}

/// Buckets of one direction, for distances that only grow from call to call.
class Buckets {
 public:
  explicit Buckets(const BucketTable& table) noexcept
      : count_(buckets_of(table)),
        exact_(count_ / 2),
        step_(std::log(static_cast<double>(table.max_distance) / static_cast<double>(exact_)) /
              static_cast<double>(count_ - exact_)) {}

  std::size_t operator()(std::size_t distance) noexcept {
    if (distance < exact_) return distance;
    // ln(d / e) >= k step. Where both are equal they differ by roundings, where they are not by more than these.
    constexpr double kRounding = 1e-12;
    const double logarithm = std::log(static_cast<double>(distance) / static_cast<double>(exact_)) + kRounding;
    while (exact_ + reached_ + 1 < count_ && logarithm >= static_cast<double>(reached_ + 1) * step_) ++reached_;
    return exact_ + reached_;
  }

 private:
  std::size_t count_, exact_;
  double step_;
  std::size_t reached_ = 0;
};

}  // namespace

bool has_valid_buckets(const AttentionArgs& args) noexcept {
  const BucketTable& table = args.axes.buckets;
  return table.data == nullptr || (buckets_of(table) >= 2 && table.max_distance > buckets_of(table) / 2);
}

std::size_t bucket_bias_floats(const AttentionArgs& args) noexcept {
  return args.axes.buckets.data == nullptr ? 0 : workspace_round(args.heads * (2 * reach_of(args) + 1));
}

AttentionArgs with_bucket_bias(const AttentionArgs& given, Workspace& workspace) noexcept {
  AttentionArgs args = given;
  const BucketTable& table = args.axes.buckets;
  if (table.data == nullptr) return args;
  const std::size_t clip = reach_of(args), distances = 2 * clip + 1;
  float* const bias = workspace.take(args.heads * distances);
  if (!workspace.sufficed()) return args;
  Buckets buckets(table);
  for (std::size_t distance = 0; distance <= clip; ++distance) {
    const std::size_t before = buckets(distance);
    // Keys after the query have the other half of the buckets, or none of their own.
    const std::size_t after = distance == 0 || !table.bidirectional ? 0 : buckets_of(table) + before;
    for (std::size_t h = 0; h < args.heads; ++h) {
      const auto number = [&](std::size_t bucket) {
        return table.data[static_cast<std::ptrdiff_t>(bucket) * table.bucket + static_cast<std::ptrdiff_t>(h) * table.head];
      };
      float* const centre = bias + h * distances + clip;
      centre[distance] = number(after);
      *(centre - distance) = number(before);
    }
  }
  args.axes.bucket_bias = {bias, static_cast<std::ptrdiff_t>(distances), clip};
  return args;
}

}  // namespace fovea
