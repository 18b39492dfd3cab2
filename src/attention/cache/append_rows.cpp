#include "attention/cache/append_rows.hpp"

#include <algorithm>

#include "ops/float16.hpp"

namespace fovea {

Status append_rows(const AppendArgs& args) noexcept {
  if (args.at > args.rows || args.tokens > args.rows - args.at) return Status::Value;
  for (std::size_t head = 0; head < args.batch * args.heads; ++head) {
    for (std::size_t t = 0; t < args.tokens; ++t) {
      const float* const from = args.from.row(head / args.heads, head % args.heads, t);
      const std::size_t to = (head * args.rows + args.at + t) * args.width;
      if (args.float16 != nullptr) {
        to_float16(from, args.width, args.float16 + to);
      } else {
        std::copy_n(from, args.width, args.floats + to);
      }
    }
  }
  return Status::Ok;
}

}  // namespace fovea
