#include "attention/score/bucket_bias.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace fovea {
namespace {

/// The buckets of one direction.
std::size_t buckets_of(const BucketTable& table) noexcept { return table.bidirectional ? table.buckets / 2 : table.buckets; }

/// The farthest distance that the table by distance has to tell.
std::size_t reach_of(const AttentionArgs& args) noexcept {
  std::int64_t farthest = 0;
  for (std::size_t b = 0; b < args.batch; ++b) {
    const PositionRules rules = args.position_rules(b);
    const std::int64_t first = rules.position(0), last = rules.position(args.queries) - 1;
    farthest = std::max({farthest, std::abs(last), std::abs(static_cast<std::int64_t>(args.keys) - 1 - first)});
  }
  return std::min(args.variant.buckets.max_distance, static_cast<std::size_t>(farthest));
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

/// Calls visit(head, distance, entry of the table) for the distances from -clip to clip.
template <class Visit>
void for_each_distance(const AttentionArgs& args, std::size_t clip, Visit visit) noexcept {
  const BucketTable& table = args.variant.buckets;
  Buckets buckets(table);
  for (std::size_t distance = 0; distance <= clip; ++distance) {
    const std::size_t before = buckets(distance);
    // Keys after the query have the other half of the buckets, or none of their own.
    const std::size_t after = distance == 0 || !table.bidirectional ? 0 : buckets_of(table) + before;
    for (std::size_t h = 0; h < args.heads; ++h) {
      const auto entry = [&](std::size_t bucket) {
        return static_cast<std::ptrdiff_t>(bucket) * table.bucket + static_cast<std::ptrdiff_t>(h) * table.head;
      };
      const auto away = static_cast<std::ptrdiff_t>(distance);
      if (distance > 0) visit(h, away, entry(after));
      visit(h, -away, entry(before));
    }
  }
}

}  // namespace

bool has_valid_buckets(const AttentionArgs& args) noexcept {
  const BucketTable& table = args.variant.buckets;
  return table.data == nullptr || (buckets_of(table) >= 2 && table.max_distance > buckets_of(table) / 2);
}

float* take_bucket_bias(const AttentionArgs& args, Workspace& workspace) noexcept {
  if (args.variant.buckets.data == nullptr) return workspace.take<float>(0u);
  const std::size_t reach = reach_of(args);
  return workspace.take<float>(args.heads, saturated_sum(reach, reach, 1u));
}

AttentionArgs with_bucket_bias(const AttentionArgs& given, Workspace& workspace) noexcept {
  AttentionArgs args = given;
  const BucketTable& table = args.variant.buckets;
  float* const bias = take_bucket_bias(args, workspace);
  if (table.data == nullptr || !workspace.sufficed()) return args;
  const std::size_t clip = reach_of(args), distances = 2 * clip + 1;
  for_each_distance(args, clip, [&](std::size_t h, std::ptrdiff_t from_center, std::ptrdiff_t at) {
    bias[h * distances + clip + static_cast<std::size_t>(from_center)] = table.data[at];
  });
  args.variant.bucket_bias = {bias, static_cast<std::ptrdiff_t>(distances), clip};
  return args;
}

void add_by_bucket(const AttentionArgs& args, const float* d_bias, float* d_table) noexcept {
  const std::size_t clip = args.variant.bucket_bias.clip, distances = args.variant.bucket_bias.distances();
  for_each_distance(args, clip, [&](std::size_t h, std::ptrdiff_t from_center, std::ptrdiff_t at) {
    d_table[at] += d_bias[h * distances + clip + static_cast<std::size_t>(from_center)];
  });
}

}  // namespace fovea
