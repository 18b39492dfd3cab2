#include "core/status.hpp"

#include <set>

#include "pch.hpp"

namespace fovea::test {

TEST(Status, EveryCodeHasItsOwnName) {
  std::set<std::string_view> names;
  for (std::uint32_t code = 0; code < kStatusCount; ++code) names.insert(to_string(static_cast<Status>(code)));
  EXPECT_EQ(names.size(), kStatusCount);
}

TEST(Status, NamesAreTheOnesTheApiPromises) {
  EXPECT_EQ(to_string(Status::Ok), "ok");
  EXPECT_EQ(to_string(Status::Shape), "shape");
  EXPECT_EQ(to_string(Status::Value), "value");
  EXPECT_EQ(to_string(Status::Option), "option");
  EXPECT_EQ(to_string(Status::Disposed), "disposed");
  EXPECT_EQ(to_string(Status::Memory), "memory");
  EXPECT_EQ(to_string(Status::Load), "load");
  EXPECT_EQ(to_string(Status::Internal), "internal");
}

TEST(Status, ANumberOutsideTheListIsInternal) {
  EXPECT_EQ(to_string(static_cast<Status>(kStatusCount)), "internal");
  EXPECT_EQ(to_string(static_cast<Status>(0xFFFFFFFFu)), "internal");
}

}  // namespace fovea::test
