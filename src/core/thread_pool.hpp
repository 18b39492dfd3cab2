#pragma once
/// A pool of threads that share out numbered tasks, the caller working as one of them.
///   run(count, task): task(index, thread) for index = 0 ... count - 1, begun in this order, each on one of the threads.
/// Which thread takes which index is left to chance, so a result that must not depend on it is written per index.
/// Where threads cannot be had (WebAssembly without them, a system that refuses) the caller does it all.
/// One caller at a time, and a task may not call run() of its own pool. Allocates nothing itself.

#include <pthread.h>
#include <atomic>
#include <cstddef>
#include <type_traits>

namespace fovea {

#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
inline constexpr bool kHasThreads = false;
#else
inline constexpr bool kHasThreads = true;
#endif

class ThreadPool {
 public:
  static constexpr std::size_t kMaxThreads = 32;

  constexpr ThreadPool() noexcept = default;
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool() { stop(); }

  /// Starts workers until `threads` work, the caller counted: fewer where one is refused. Returns how many work.
  std::size_t start(std::size_t threads) noexcept;

  /// The caller counted: 1 when no worker was started.
  [[nodiscard]] std::size_t threads() const noexcept { return kHasThreads ? workers_ + 1 : 1; }

  /// Calls task(index, thread) once for every index < count and returns when all are done; what the tasks wrote is visible
  /// then. thread < threads() differs between tasks that run at the same time; the caller is thread 0.
  template <class Task>
  void run(std::size_t count, Task&& task) noexcept {
    if (!kHasThreads || count <= 1 || workers_ == 0) {
      for (std::size_t index = 0; index < count; ++index) task(index, std::size_t{0});
      return;
    }
    using Callable = std::remove_reference_t<Task>;
    const auto call = [](const void* context, std::size_t index, std::size_t thread) noexcept {
      (*static_cast<Callable*>(const_cast<void*>(context)))(index, thread);
    };
    run_shared(count, {call, &task});
  }

  /// Ends the workers and waits for them. start() may follow.
  void stop() noexcept;

 private:
  struct Job {
    void (*call)(const void* context, std::size_t index, std::size_t thread) noexcept = nullptr;
    const void* context = nullptr;
  };
  struct Worker {
    ThreadPool* pool = nullptr;
    std::size_t thread = 0;
    pthread_t handle{};
  };

  static void* enter(void* worker) noexcept;
  void serve(std::size_t thread) noexcept;
  void run_shared(std::size_t count, Job job) noexcept;
  void take_tasks(std::size_t thread) noexcept;

  // A thread claims a task by lowering left_ while it is above 0. Until that task counts as done the job stays, so a claim is
  // what allows reading job_ and count_; a worker that comes when the job is over finds 0 and touches nothing.
  // Each on a cache line of its own: all threads write to them while they work.
  alignas(64) std::atomic<std::size_t> left_{0};
  alignas(64) std::atomic<std::size_t> done_{0};

  alignas(64) Job job_{};
  std::size_t count_ = 0;

  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t wake_ = PTHREAD_COND_INITIALIZER;
  std::size_t sleeping_ = 0;  // guarded by mutex_, as stopping_ is
  bool stopping_ = false;

  std::size_t workers_ = 0;
  Worker worker_[kMaxThreads - 1]{};
};

/// Fewer multiply-adds, some 10 µs of them, cost less than waking another thread. In double: a product of sizes passes 2^32,
/// and in WebAssembly sizes have no more bits.
inline constexpr double kMinParallelWork = 1048576.0;

/// Whether the product of the counts is short work.
template <class... Counts>
constexpr bool is_short_work(Counts... counts) noexcept {
  return (1.0 * ... * static_cast<double>(counts)) < kMinParallelWork;
}

/// The threads of a pool that there may not be: without one the caller does it all.
inline std::size_t threads_of(const ThreadPool* pool) noexcept { return pool != nullptr ? pool->threads() : 1; }

template <class Task>
void parallel_for(ThreadPool* pool, std::size_t count, Task&& task) noexcept {
  if (pool != nullptr) {
    pool->run(count, task);
  } else {
    for (std::size_t index = 0; index < count; ++index) task(index, std::size_t{0});
  }
}

}  // namespace fovea
