/// The pool: every task runs once, on any thread; results visible; starting, stopping, refusing. ThreadSanitizer runs it too.
/// In builds without threads the pool is the caller alone, and all claims but those about their number hold as well.

#include "core/thread_pool.hpp"

#include <array>
#include <atomic>
#include <ctime>
#include <memory>

#include "pch.hpp"

namespace fovea {
namespace {

constexpr std::size_t kSizes[] = {1, 2, 3, 4, 7};

/// Runs `count` tasks and checks that each ran once, on a thread of the pool that did nothing else at that time.
void check_job(ThreadPool& pool, std::size_t count) {
  // Atomic, so that a task that ran twice is counted and not a race.
  std::vector<std::atomic<int>> runs(count);
  std::array<std::atomic<int>, ThreadPool::kMaxThreads> busy{};
  std::atomic<int> wrong{0};
  pool.run(count, [&](std::size_t index, std::size_t thread) {
    if (index >= count || thread >= pool.threads() || busy[thread].fetch_add(1) != 0) {
      wrong.fetch_add(1);
      return;
    }
    runs[index].fetch_add(1);
    busy[thread].fetch_sub(1);
  });
  EXPECT_EQ(wrong.load(), 0) << count << " tasks on " << pool.threads();
  for (std::size_t index = 0; index < count; ++index) {
    ASSERT_EQ(runs[index].load(), 1) << "task " << index << " of " << count << " on " << pool.threads();
  }
}

/// Long enough for every worker to stop looking for jobs.
void let_workers_sleep() {
  const timespec pause = {0, 20'000'000};
  nanosleep(&pause, nullptr);
}

/// Runs as many tasks as there are threads, each of which waits until all have begun: for 10 seconds, then it gives up.
void check_that_all_come(ThreadPool& pool) {
  const std::size_t threads = pool.threads();
  std::atomic<std::size_t> present{0};
  std::atomic<std::size_t> met{0};
  pool.run(threads, [&](std::size_t, std::size_t) {
    present.fetch_add(1);
    const std::time_t deadline = std::time(nullptr) + 10;
    while (present.load() < threads && std::time(nullptr) < deadline) {
    }
    if (present.load() == threads) met.fetch_add(1);
  });
  EXPECT_EQ(met.load(), threads);
}

TEST(ThreadPool, RunsEveryTaskOnceOnAThreadOfItsOwn) {
  for (const std::size_t threads : kSizes) {
    ThreadPool pool;
    ASSERT_EQ(pool.start(threads), kHasThreads ? threads : 1u);
    for (const std::size_t count : {0u, 1u, 2u, 3u, 4u, 5u, 63u, 64u, 65u, 1000u}) check_job(pool, count);
  }
}

TEST(ThreadPool, StartsTasksInIncreasingOrder) {
  for (const std::size_t threads : kSizes) {
    ThreadPool pool;
    pool.start(threads);
    // Each claim gives the next index, so those of any one thread ascend, too.
    std::array<std::size_t, ThreadPool::kMaxThreads> next{};
    std::atomic<int> wrong{0};
    pool.run(500, [&](std::size_t index, std::size_t thread) {
      if (index < next[thread]) wrong.fetch_add(1);
      next[thread] = index + 1;
    });
    EXPECT_EQ(wrong.load(), 0);
  }
}

TEST(ThreadPool, WhatTasksWroteIsThereWhenRunReturns) {
  for (const std::size_t threads : kSizes) {
    ThreadPool pool;
    pool.start(threads);
    std::vector<std::size_t> squares(257);  // plain memory: ThreadSanitizer tells if the join does not order the writes
    pool.run(squares.size(), [&](std::size_t index, std::size_t) { squares[index] = index * index; });
    for (std::size_t index = 0; index < squares.size(); ++index) ASSERT_EQ(squares[index], index * index);
  }
}

TEST(ThreadPool, JobsBackToBackWithChangingTasksMixNothingUp) {
  for (const std::size_t threads : {2u, 4u}) {
    ThreadPool pool;
    pool.start(threads);
    std::array<std::size_t, 9> values{};
    for (std::size_t round = 0; round < 20000; ++round) {
      const std::size_t count = 1 + round % values.size();
      // Each on the stack of its round: a worker that came late and read a job that is over would find another's.
      const std::size_t salt = round * 31;
      if (round % 2 == 0) {
        pool.run(count, [&values, salt](std::size_t index, std::size_t) { values[index] = salt + index; });
      } else {
        pool.run(count, [&](std::size_t index, std::size_t) { values[index] = salt ^ index; });
      }
      for (std::size_t index = 0; index < count; ++index) {
        ASSERT_EQ(values[index], round % 2 == 0 ? salt + index : salt ^ index) << "round " << round;
      }
    }
  }
}

TEST(ThreadPool, WorkersThatSleepWakeForTheNextJob) {
  if (!kHasThreads) GTEST_SKIP() << "a build without threads";
  ThreadPool pool;
  ASSERT_EQ(pool.start(3), 3u);
  for (int round = 0; round < 5; ++round) {
    let_workers_sleep();
    check_that_all_come(pool);
  }
}

TEST(ThreadPool, TheCallerIsThreadZeroAndAloneRunsEverything) {
  ThreadPool pool;
  EXPECT_EQ(pool.threads(), 1u);
  EXPECT_EQ(pool.start(0), 1u);
  EXPECT_EQ(pool.start(1), 1u);
  const pthread_t self = pthread_self();
  std::vector<std::size_t> order;
  pool.run(5, [&](std::size_t index, std::size_t thread) {
    EXPECT_EQ(thread, 0u);
    EXPECT_TRUE(pthread_equal(self, pthread_self()));
    order.push_back(index);
  });
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

TEST(ThreadPool, StartsMoreButNeverEndsSome) {
  if (!kHasThreads) GTEST_SKIP() << "a build without threads";
  ThreadPool pool;
  EXPECT_EQ(pool.start(2), 2u);
  EXPECT_EQ(pool.start(2), 2u);
  EXPECT_EQ(pool.start(4), 4u);
  EXPECT_EQ(pool.start(3), 4u);
  EXPECT_EQ(pool.threads(), 4u);
  check_job(pool, 100);
}

TEST(ThreadPool, StopsAndStartsAgain) {
  ThreadPool pool;
  for (int round = 0; round < 20; ++round) {
    EXPECT_EQ(pool.start(3), kHasThreads ? 3u : 1u);
    check_job(pool, 10);
    if (round == 1) let_workers_sleep();
    check_that_all_come(pool);
    pool.stop();
    EXPECT_EQ(pool.threads(), 1u);
    check_job(pool, 10);
    pool.stop();
  }
}

TEST(ThreadPool, MoreThanItHoldsAreRefused) {
  if (!kHasThreads) GTEST_SKIP() << "a build without threads";
  const auto pool = std::make_unique<ThreadPool>();
  EXPECT_EQ(pool->start(1000), ThreadPool::kMaxThreads);
  check_job(*pool, 200);
}

TEST(ThreadPool, TasksMayBeConstOrChangeTheirOwnState) {
  ThreadPool pool;
  pool.start(2);
  struct Counter {
    std::atomic<int> calls{0};
    void operator()(std::size_t, std::size_t) { calls.fetch_add(1); }
  } counter;
  pool.run(10, counter);
  EXPECT_EQ(counter.calls.load(), 10);

  std::atomic<int> calls{0};
  const auto constant = [&](std::size_t, std::size_t) { calls.fetch_add(1); };
  pool.run(10, constant);
  EXPECT_EQ(calls.load(), 10);
}

// A pool of the module lives as long as the program, without a constructor that runs.
constinit ThreadPool static_pool;

TEST(ThreadPool, CanBeAConstantInitializedGlobal) {
  static_pool.start(2);
  check_job(static_pool, 10);
  static_pool.stop();
}

TEST(ThreadPool, WorkIsShortByItsProductHoweverLargeThatIs) {
  EXPECT_TRUE(is_short_work(64, 64, 16));
  EXPECT_TRUE(is_short_work(0, 1u << 31, 1u << 31));
  EXPECT_FALSE(is_short_work(1024, 1024, 1));
  for (std::size_t rows = 1u << 10; rows < 1u << 31; rows *= 2) EXPECT_FALSE(is_short_work(rows, 2048, 128)) << rows;
}

}  // namespace
}  // namespace fovea
