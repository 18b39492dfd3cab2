/// The same tests run natively and under Node. A run in which a filter left no test over is a failure, not a success.

#include <cstdio>

#include "pch.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const int failed = RUN_ALL_TESTS();
  if (testing::UnitTest::GetInstance()->test_to_run_count() == 0) {
    std::puts("no test was run");
    return 1;
  }
  return failed;
}
