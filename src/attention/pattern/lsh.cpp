#include "attention/pattern/lsh.hpp"

#include <algorithm>
#include <array>

#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::splat;
using simd::store;

constexpr std::size_t kRowTile = 4;
constexpr std::size_t kPanelVectors = 2;
constexpr std::size_t kPanel = kPanelVectors * f32::size;
using Rows = std::array<const float*, kRowTile>;

/// Columns of R with those, all 0, that fill up the last panel.
std::size_t padded_columns(std::uint32_t buckets) noexcept { return (std::size_t{buckets} / 2 + kPanel - 1) / kPanel * kPanel; }

/// R_r in panels: entry (d, c) at [c / kPanel][d][c % kPanel].
void fill_projection(const LshArgs& args, std::uint32_t round, float* matrix) noexcept {
  constexpr std::size_t kNormals = std::tuple_size_v<RandomWords>;
  const std::size_t columns = args.buckets / 2, padded = padded_columns(args.buckets);
  for (std::size_t c = 0; c < padded; ++c) {
    float* const column = matrix + c / kPanel * args.width * kPanel + c % kPanel;
    for (std::size_t d = 0; d < args.width; d += kNormals) {
      std::array<float, kNormals> entries{};
      if (c < columns) {
        const auto c0 = static_cast<std::uint32_t>(c), c1 = static_cast<std::uint32_t>(d / kNormals);
        entries = normals(philox(args.seed, c0, c1, round, Stream::Lsh));
      }
      const std::size_t count = std::min(kNormals, args.width - d);
      for (std::size_t i = 0; i < count; ++i) column[(d + i) * kPanel] = entries[i];
    }
  }
}

/// p[i][0 ... kPanel-1] <- rows[i] R, for one panel of R. Not madd: see the header on accuracy.
void project(const Rows& rows, const float* panel, std::size_t width, float* p, std::size_t stride) noexcept {
  f32 sums[kRowTile][kPanelVectors];
  for (auto& row : sums) std::fill_n(row, kPanelVectors, splat(0.0f));
  for (std::size_t d = 0; d < width; ++d) {
    for (std::size_t v = 0; v < kPanelVectors; ++v) {
      const f32 entries = load(panel + d * kPanel + v * f32::size);
      for (std::size_t i = 0; i < kRowTile; ++i) {
        const f32 product = splat(rows[i][d]) * entries;
        sums[i][v] = sums[i][v] + product;
      }
    }
  }
  for (std::size_t i = 0; i < kRowTile; ++i)
    for (std::size_t v = 0; v < kPanelVectors; ++v) store(p + i * stride + v * f32::size, sums[i][v]);
}

/// argmax of [p, -p]: the first p that is max |p|, or else the first that is its negative.
std::int32_t bucket_of(const float* p, std::size_t columns) noexcept {
  // The columns that fill up the last panel are 0 or NaN, and raise no maximum.
  f32 largest = splat(0.0f);
  for (std::size_t c = 0; c < columns; c += f32::size) {
    const f32 size = simd::abs(load(p + c));
    largest = simd::select(size > largest, size, largest);
  }
  const float m = simd::reduce_max(largest);
  const float* const end = p + columns;
  if (const float* const at = std::find(p, end, m); at != end) return static_cast<std::int32_t>(at - p);
  if (const float* const at = std::find(p, end, -m); at != end) return static_cast<std::int32_t>(end - p + (at - p));
  return 0;
}

struct Scratch {
  std::size_t padded;
  float* matrix;  // R_r
  float* p;       // [kRowTile][padded]: projections

  Scratch(const LshArgs& args, Workspace& workspace) noexcept
      : padded(padded_columns(args.buckets)),
        matrix(workspace.take<float>(padded, args.width)),
        p(workspace.take<float>(kRowTile, padded)) {}
};

Status check(const LshArgs& args) noexcept {
  if (args.width == 0) return Status::Shape;
  if (args.rounds == 0 || args.buckets < 2 || args.buckets % 2 != 0 || args.buckets >> 31 != 0) return Status::Value;
  return Status::Ok;
}

}  // namespace

std::uint64_t lsh_workspace_bytes(const LshArgs& args) noexcept {
  if (check(args) != Status::Ok) return 0;
  return count_bytes([&](Workspace& workspace) { Scratch(args, workspace); });
}

Status lsh_buckets(const LshArgs& args, Workspace workspace) noexcept {
  if (const Status status = check(args); status != Status::Ok) return status;
  const auto [padded, matrix, p] = Scratch(args, workspace);
  if (!workspace.sufficed()) return Status::Memory;

  std::int32_t* ids = args.ids;
  for (std::uint32_t round = 0; round < args.rounds; ++round) {
    fill_projection(args, round, matrix);
    for (std::size_t plane = 0; plane < args.batch * args.heads; ++plane) {
      for (std::size_t t = 0; t < args.tokens; t += kRowTile) {
        // Beyond the last token it is computed again, for the same tile.
        Rows rows;
        for (std::size_t i = 0; i < kRowTile; ++i)
          rows[i] = args.x.row(plane / args.heads, plane % args.heads, std::min(t + i, args.tokens - 1));
        for (std::size_t c = 0; c < padded; c += kPanel) project(rows, matrix + c * args.width, args.width, p + c, padded);
        const std::size_t count = std::min(kRowTile, args.tokens - t);
        for (std::size_t i = 0; i < count; ++i) *ids++ = bucket_of(p + i * padded, args.buckets / 2);
      }
    }
  }
  return Status::Ok;
}

}  // namespace fovea
