#pragma once
/// Words written one after another where it is not known beforehand how many there will be. The memory is the caller's, who is
/// asked for more of it: the core allocates nothing.

#include <bit>
#include <cstddef>
#include <cstdint>

namespace fovea {

class WordSink {
 public:
  /// Moves the words to memory for at least `capacity` of them, and sets `words`; false, and nothing is changed, where it is
  /// refused.
  using Grow = bool (*)(std::uint32_t*& words, std::size_t& capacity, std::size_t wanted);

  WordSink(std::uint32_t* words, std::size_t capacity, Grow grow) noexcept : words_(words), capacity_(capacity), grow_(grow) {}

  void put(std::uint32_t word) noexcept {
    if (size_ == capacity_ && !enlarge()) return;
    words_[size_++] = word;
  }

  /// Returns where the word is, to be set later.
  std::size_t reserve_slot() noexcept {
    put(0);
    return size_ - (failed_ ? 0 : 1);
  }

  void set(std::size_t at, std::uint32_t word) noexcept {
    if (!failed_) words_[at] = word;
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::uint32_t* words() const noexcept { return words_; }

  /// Whether memory was refused. What was put since then is lost.
  [[nodiscard]] bool failed() const noexcept { return failed_; }

 private:
  bool enlarge() noexcept {
    failed_ = failed_ || !grow_(words_, capacity_, capacity_ < 512 ? 1024 : capacity_ + capacity_ / 2);
    return !failed_;
  }

  std::uint32_t* words_;
  std::size_t size_ = 0, capacity_;
  Grow grow_;
  bool failed_ = false;
};

}  // namespace fovea
