#include "linear_attention/favor.hpp"

#include <algorithm>
#include <cmath>

namespace fovea {
namespace {

struct Scratch {
  double* block;  // [width][width]: unit rows
  double* norm;   // [width]: the vector whose norm a row gets

  Scratch(std::size_t width, Workspace& workspace) noexcept
      : block(workspace.take<double>(width, width)), norm(workspace.take<double>(width)) {}
};

enum class Part : std::uint32_t { Direction, Norm };

/// x <- a Gaussian vector
void draw(Seed seed, std::size_t row, Part part, double* x, std::size_t width) noexcept {
  for (std::size_t d = 0; d < width; d += 4) {
    const auto four = normals(philox(seed, static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(d / 4),
                                     static_cast<std::uint32_t>(part), Stream::Favor));
    std::copy_n(four.begin(), std::min<std::size_t>(4, width - d), x + d);
  }
}

double product(const double* a, const double* b, std::size_t width) noexcept {
  double sum = 0;
  for (std::size_t d = 0; d < width; ++d) sum += a[d] * b[d];
  return sum;
}

/// x <- x without its parts along the `count` unit rows, of length 1
void orthogonalise(const double* rows, std::size_t count, double* x, std::size_t width) noexcept {
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t n = 0; n < count; ++n) {
      const double along = product(rows + n * width, x, width);
      for (std::size_t d = 0; d < width; ++d) x[d] -= along * rows[n * width + d];
    }
    const double norm = std::sqrt(product(x, x, width));
    for (std::size_t d = 0; d < width; ++d) x[d] /= norm;
  }
}

}  // namespace

std::uint64_t favor_workspace_bytes(std::size_t width) noexcept {
  return count_bytes([&](Workspace& workspace) { Scratch(width, workspace); });
}

Status favor_projection(std::size_t features, std::size_t width, Seed seed, float* projection, Workspace workspace) noexcept {
  if (width == 0) return Status::Shape;
  const auto [block, norm] = Scratch(width, workspace);
  if (!workspace.sufficed()) return Status::Memory;
  for (std::size_t row = 0; row < features; ++row) {
    double* const unit = block + row % width * width;
    draw(seed, row, Part::Direction, unit, width);
    orthogonalise(block, row % width, unit, width);
    draw(seed, row, Part::Norm, norm, width);
    const double length = std::sqrt(product(norm, norm, width));
    for (std::size_t d = 0; d < width; ++d) projection[row * width + d] = static_cast<float>(length * unit[d]);
  }
  return Status::Ok;
}

}  // namespace fovea
