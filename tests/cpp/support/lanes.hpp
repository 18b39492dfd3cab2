#pragma once
/// Checks a function of four floats on a list of points, each of them in each lane.

#include "simd/simd.hpp"
#include "support/ulp.hpp"

namespace fovea::test {

struct Worst {
  double distance = 0;
  float at = 0;
};

/// f of each point, every point in every lane in turn. Fails if a lane's result depends on the lane or on its neighbors.
template <class F>
testing::AssertionResult map_lanes(const std::vector<float>& points, F f, std::vector<float>& results) {
  constexpr std::size_t kLanes = simd::f32::size;
  const std::size_t n = points.size();
  results.assign(n, kPoison);
  for (std::size_t shift = 0; shift < kLanes; ++shift) {
    for (std::size_t i = 0; i < n; i += kLanes) {
      float in[kLanes], out[kLanes];
      for (std::size_t lane = 0; lane < kLanes; ++lane) in[lane] = points[(i + lane + shift) % n];
      simd::store(out, f(simd::load(in)));
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        float& known = results[(i + lane + shift) % n];
        if (is_poison(known)) known = out[lane];
        if (same_bits(known, out[lane])) continue;
        return testing::AssertionFailure() << "f(" << in[lane] << ") is " << out[lane] << " in lane " << lane << ", " << known
                                           << " in another";
      }
    }
  }
  return testing::AssertionSuccess();
}

/// The largest distance from `truth`, in ULP, on `count` evenly spaced points of [low, high].
template <class F, class Truth>
Worst worst_ulp(double low, double high, std::size_t count, F f, Truth truth) {
  std::vector<float> points(count), results;
  for (std::size_t i = 0; i < count; ++i) {
    points[i] = static_cast<float>(low + (high - low) * static_cast<double>(i) / static_cast<double>(count - 1));
  }
  const auto lanes = map_lanes(points, f, results);
  EXPECT_TRUE(lanes);
  Worst worst;
  for (std::size_t i = 0; i < count; ++i) {
    const double distance = ulp_distance(results[i], truth(static_cast<double>(points[i])));
    if (distance > worst.distance) worst = {distance, points[i]};
  }
  return worst;
}

}  // namespace fovea::test
