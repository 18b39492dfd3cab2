#pragma once
/// Softmax along an axis, with guards around what it writes.

#include "reference/softmax.hpp"
#include "support/random.hpp"
#include "support/scratch.hpp"

namespace fovea::test {

inline constexpr SoftmaxKind kSoftmaxKinds[] = {SoftmaxKind::Softmax, SoftmaxKind::LogSoftmax, SoftmaxKind::LogSumExp};

struct Axis {
  std::size_t outer, n, inner;
};

inline std::size_t result_size(SoftmaxKind kind, const Axis& axis) {
  return axis.outer * axis.inner * (kind == SoftmaxKind::LogSumExp ? 1 : axis.n);
}

struct SoftmaxOutcome {
  Status status = Status::Internal;
  std::vector<float> y;
  bool guards = false;  // nothing was written around the result or past the workspace
};

inline SoftmaxOutcome run(SoftmaxKind kind, std::span<const float> x, const Axis& axis, std::size_t short_by = 0,
                          ThreadPool* pool = nullptr) {
  constexpr std::size_t kGuard = 37;
  const std::size_t floats = floats_of(softmax_workspace_bytes(axis.n, axis.inner, threads_of(pool))),
                    size = result_size(kind, axis);
  const std::size_t given = floats - std::min(floats, short_by);
  std::vector<float> y(size + 2 * kGuard, kPoison), workspace(given + kGuard, kPoison);
  SoftmaxOutcome outcome;
  outcome.status = softmax(kind, x.data(), y.data() + kGuard, axis.outer, axis.n, axis.inner,
                           {workspace.data(), given * sizeof(float)}, pool);
  outcome.y.assign(y.begin() + kGuard, y.end() - kGuard);
  outcome.guards = static_cast<bool>(all_poison(std::span(y).first(kGuard))) &&
                   static_cast<bool>(all_poison(std::span(y).last(kGuard))) &&
                   static_cast<bool>(all_poison(std::span(workspace).last(kGuard)));
  return outcome;
}

inline testing::AssertionResult agrees(std::span<const float> x, const Axis& axis) {
  for (const SoftmaxKind kind : kSoftmaxKinds) {
    const SoftmaxOutcome outcome = run(kind, x, axis);
    const auto where = [&] {
      return testing::AssertionFailure() << "kind " << static_cast<int>(kind) << " of [" << axis.outer << ", " << axis.n << ", "
                                         << axis.inner << "]: ";
    };
    if (outcome.status != Status::Ok) return where() << to_string(outcome.status);
    if (!outcome.guards) return where() << "written outside";
    const auto ok = within_tolerance(outcome.y, softmax_ref(kind, x.data(), axis.outer, axis.n, axis.inner));
    if (!ok) return where() << ok.message();
  }
  return testing::AssertionSuccess();
}

inline std::vector<float> normals(std::size_t count, std::uint64_t seed, float spread = 1, float middle = 0) {
  Random random(seed);
  std::vector<float> x;
  x.reserve(1);  // no array is at address 0
  x.resize(count);
  for (float& value : x) value = middle + spread * random.normal();
  return x;
}

}  // namespace fovea::test
