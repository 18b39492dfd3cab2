/// Native and Node builds run these tests alike. A run in which a filter left no test over is a failure, not a success.
///   --shard=INDEX/COUNT   every COUNT-th test, from INDEX (GoogleTest wants this in the environment, which wasm lacks)

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "pch.hpp"

namespace {

void choose_shard(std::string_view shard) {
  const std::size_t slash = shard.find('/');
  setenv("GTEST_SHARD_INDEX", std::string(shard.substr(0, slash)).c_str(), /*replace=*/1);
  setenv("GTEST_TOTAL_SHARDS", std::string(shard.substr(slash + 1)).c_str(), /*replace=*/1);
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  constexpr std::string_view kShard = "--shard=";
  for (const std::string_view argument : std::span(argv, static_cast<std::size_t>(argc)).subspan(1)) {
    if (!argument.starts_with(kShard)) {
      std::printf("unknown argument %s\n", std::string(argument).c_str());
      return 1;
    }
    choose_shard(argument.substr(kShard.size()));
  }
  const int failed = RUN_ALL_TESTS();
  if (testing::UnitTest::GetInstance()->test_to_run_count() == 0) {
    std::puts("no test was run");
    return 1;
  }
  return failed;
}
