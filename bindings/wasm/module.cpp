/// The module's exports: addresses in, a status out. Everything was validated before it came here (bindings/js), the core
/// checks what memory safety hangs on, and no arithmetic is done here. This file: memory, threads, and what the module is.
/// A text is given as the address of its bytes, which end with a 0.

#include <emscripten/bind.h>

#include <cstdlib>

#include "abi.hpp"
#include "module.hpp"

namespace fovea::wasm {
namespace {

std::uint32_t allocate(std::uint32_t bytes) { return address(std::malloc(bytes)); }
void release(std::uint32_t block) { std::free(pointer<void>(block)); }
std::uint32_t start_threads(std::uint32_t threads) { return static_cast<std::uint32_t>(pool.start(threads)); }
void stop_threads() { pool.stop(); }
std::uint32_t status_name(std::uint32_t status) { return address(to_string(static_cast<Status>(status)).data()); }
double refused_bytes() { return static_cast<double>(arena.refused_bytes()); }
std::uint32_t version() { return address(FOVEA_VERSION); }
std::uint32_t variant() { return address(FOVEA_VARIANT); }

}  // namespace

EMSCRIPTEN_BINDINGS(fovea) {
  emscripten::function("allocate", &allocate);
  emscripten::function("release", &release);
  emscripten::function("startThreads", &start_threads);
  emscripten::function("stopThreads", &stop_threads);
  emscripten::function("statusName", &status_name);
  emscripten::function("refusedBytes", &refused_bytes);
  emscripten::function(
      "abiHash", +[] { return kAbiHash; });
  emscripten::function("version", &version);
  emscripten::function("variant", &variant);
}

}  // namespace fovea::wasm
