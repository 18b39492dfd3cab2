# Scans the undefined symbols of a static library for what the core may not do: throw, abort, print, allocate.
#   cmake -DNM=… -DLIBRARY=… -DEXPECTED=0|1 -P symbols.cmake
# EXPECTED=0: none may be there. EXPECTED=1 (the canary): every one of the groups below must be found.

cmake_policy(VERSION 3.25)
set(groups aborts prints throws allocates)
set(aborts "abort|exit|_exit|__assert_fail|__assert_func|_ZSt9terminatev|_ZSt21__glibcxx_assert_failPKciS0_S0_|_ZNSt3__122__libcpp_verbose_abort.*")
set(prints "printf|fprintf|vprintf|vfprintf|iprintf|fiprintf|puts|fputs|putchar|fwrite|write|perror|_ZSt4c(out|err)|_ZNSt3__14c(out|err)E|__printf_chk|__fprintf_chk")
set(throws "__cxa_throw|__cxa_rethrow|__cxa_allocate_exception|_Unwind_Resume|_ZSt[0-9]+__throw_.*")
# operator new and delete, scalar and array, in every overload; the C functions.
set(allocates "_Zn[wa].*|_Zd[la].*|malloc|calloc|realloc|reallocarray|free|aligned_alloc|posix_memalign|memalign")

execute_process(COMMAND ${NM} -u ${LIBRARY} OUTPUT_VARIABLE listing ERROR_VARIABLE complaint RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${NM} -u ${LIBRARY} failed: ${complaint}")
endif()
string(REGEX MATCHALL "[ \t][UwW][ \t]+[^ \t\n]+" undefined "${listing}")
list(TRANSFORM undefined REPLACE "^[ \t][UwW][ \t]+" "")
list(REMOVE_DUPLICATES undefined)
list(LENGTH undefined count)
if(count EQUAL 0)
  message(FATAL_ERROR "no undefined symbol at all in ${LIBRARY}: the scan reads the listing wrongly")
endif()

foreach(group IN LISTS groups)
  set(found ${undefined})
  list(FILTER found INCLUDE REGEX "^(${${group}})$")
  list(JOIN found " " names)
  if(EXPECTED AND NOT found)
    message(SEND_ERROR "the scan missed that the canary ${group}")
  elseif(NOT EXPECTED AND found)
    message(SEND_ERROR "the library ${group}: ${names}")
  endif()
endforeach()
