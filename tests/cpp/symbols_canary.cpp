/// Does once each what symbols.cmake looks for. Never linked.

#include <cstdio>
#include <cstdlib>

extern "C" void __cxa_throw(void*, void*, void (*)(void*));

int* canary(int n) {
  if (n == 1) std::abort();
  if (n == 2) std::puts("canary");
  if (n == 3) __cxa_throw(nullptr, nullptr, nullptr);
  return n == 4 ? static_cast<int*>(std::malloc(4)) : new int(n);
}
