#pragma once
/// One query head of one batch entry, and the key/value head that it reads.

#include <cstddef>

namespace fovea {

struct HeadIndex {
  std::size_t batch, head, kv_head;
};

}  // namespace fovea
