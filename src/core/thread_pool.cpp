#include "core/thread_pool.hpp"

#include <sched.h>
#include <algorithm>

namespace fovea {
namespace {

/// How often a worker looks for the next job before it sleeps: tens of microseconds, so that calls in a row, and the phases of
/// one call, find it awake. To wake a sleeper costs about as much.
#if defined(__x86_64__) || defined(__i386__)
constexpr int kSpins = 2000;
void pause() noexcept { __builtin_ia32_pause(); }
#elif defined(__aarch64__)
constexpr int kSpins = 2000;
void pause() noexcept { asm volatile("yield"); }
#else
constexpr int kSpins = 50000;
void pause() noexcept {}
#endif

}  // namespace

std::size_t ThreadPool::start(std::size_t threads) noexcept {
  const std::size_t wanted = std::clamp<std::size_t>(threads, 1, kMaxThreads) - 1;
  while (workers_ < wanted) {
    Worker& worker = worker_[workers_];
    worker.pool = this;
    worker.thread = workers_ + 1;
    if (pthread_create(&worker.handle, nullptr, &enter, &worker) != 0) break;
    ++workers_;
  }
  return workers_ + 1;
}

void ThreadPool::stop() noexcept {
  if (workers_ == 0) return;
  pthread_mutex_lock(&mutex_);
  stopping_ = true;
  pthread_cond_broadcast(&wake_);
  pthread_mutex_unlock(&mutex_);
  for (; workers_ > 0; --workers_) pthread_join(worker_[workers_ - 1].handle, nullptr);
  stopping_ = false;
}

void* ThreadPool::enter(void* worker) noexcept {
  // Nobody cancels a worker, and where it could be, Emscripten wakes a sleeping one every 100 ms to look.
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
  const Worker& self = *static_cast<const Worker*>(worker);
  self.pool->serve(self.thread);
  return nullptr;
}

void ThreadPool::serve(std::size_t thread) noexcept {
  for (;;) {
    take_tasks(thread);
    for (int spin = 0; spin < kSpins && left_.load(std::memory_order_relaxed) == 0; ++spin) pause();
    if (left_.load(std::memory_order_relaxed) != 0) continue;

    pthread_mutex_lock(&mutex_);
    ++sleeping_;
    while (left_.load(std::memory_order_relaxed) == 0 && !stopping_) pthread_cond_wait(&wake_, &mutex_);
    --sleeping_;
    const bool stopping = stopping_;
    pthread_mutex_unlock(&mutex_);
    if (stopping) return;
  }
}

void ThreadPool::run_shared(std::size_t count, Job job) noexcept {
  job_ = job;
  count_ = count;
  done_.store(0, std::memory_order_relaxed);
  // Under the mutex, or a worker that is about to sleep could miss it.
  pthread_mutex_lock(&mutex_);
  left_.store(count, std::memory_order_release);
  const bool wake = sleeping_ > 0;
  pthread_mutex_unlock(&mutex_);
  if (wake) pthread_cond_broadcast(&wake_);

  take_tasks(0);
  // A web page's main thread may not block, so the caller spins until the last tasks are done. Where that takes long it
  // yields: natively to a worker that waits for this core; in WebAssembly that call ends with an exception if a worker trapped.
  for (int spin = 0; done_.load(std::memory_order_acquire) != count; ++spin) {
    pause();
    if (spin < kSpins) continue;
    sched_yield();
    spin = 0;
  }
}

void ThreadPool::take_tasks(std::size_t thread) noexcept {
  std::size_t taken = 0;
  std::size_t left = left_.load(std::memory_order_relaxed);
  while (left != 0) {
    if (!left_.compare_exchange_weak(left, left - 1, std::memory_order_acquire, std::memory_order_relaxed)) continue;
    job_.call(job_.context, count_ - left, thread);
    ++taken;
    left = left_.load(std::memory_order_relaxed);
  }
  if (taken != 0) done_.fetch_add(taken, std::memory_order_release);
}

}  // namespace fovea
