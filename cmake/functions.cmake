# One line per target: lookback_program(), lookback_test(scan), lookback_bench(scan). What they share stands here once.

# Speed matters: without a word from the user the build is optimized. A project that adds this one decides for itself.
function(lookback_default_build_type)
  if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
  endif()
endfunction()

# Sets LOOKBACK_HAS_GPU and enables CUDA where it is wanted and there. The architecture is that of the GPU in this machine, else
# sm_90; CMAKE_CUDA_ARCHITECTURES overrides it. A macro: a language must be enabled in the directory that uses it.
macro(lookback_find_gpu)
  set(LOOKBACK_HAS_GPU OFF)
  if(LOOKBACK_PROGRAM OR LOOKBACK_TESTS OR LOOKBACK_BENCH)
    if(LOOKBACK_GPU STREQUAL "AUTO")
      include(CheckLanguage)
      check_language(CUDA)
      if(CMAKE_CUDA_COMPILER)
        set(LOOKBACK_HAS_GPU ON)
      endif()
    else()
      set(LOOKBACK_HAS_GPU ${LOOKBACK_GPU})
    endif()
  endif()
  if(LOOKBACK_HAS_GPU)
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader OUTPUT_VARIABLE capability ERROR_QUIET)
      if(capability MATCHES "^([0-9]+)\\.([0-9])")
        set(architecture ${CMAKE_MATCH_1}${CMAKE_MATCH_2})
      else()
        set(architecture 90)
      endif()
      set(CMAKE_CUDA_ARCHITECTURES ${architecture} CACHE STRING "GPU architectures to build for")
    endif()
    enable_language(CUDA)
    message(STATUS "lookback: GPU parts for sm_${CMAKE_CUDA_ARCHITECTURES}")
  else()
    message(STATUS "lookback: no GPU parts")
  endif()
endmacro()

# No contraction: `reproducible` promises bits. Warnings are errors in the presets only (CMAKE_COMPILE_WARNING_AS_ERROR); those
# three follow values through the inlined standard library and are wrong there (GCC bugs 105651, 80635, 106247). What nvcc hands to
# the host compiler is no longer the source: a parameter of a fold over nothing looks unused there.
function(lookback_own_flags target)
  if(PROJECT_IS_TOP_LEVEL)
    target_compile_options(${target} INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow>
      "$<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<NOT:$<BOOL:${CMAKE_CXX_CLANG_TIDY}>>>:-Wno-restrict;-Wno-maybe-uninitialized;-Wno-stringop-overflow>"
      # The compiler's own garbage stays until there are 400 MB of it: looking for it takes 5 to 9 % of the time.
      "$<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<NOT:$<BOOL:${CMAKE_CXX_CLANG_TIDY}>>>:SHELL:--param ggc-min-heapsize=400000>")
  endif()
  target_compile_options(${target} INTERFACE
    $<$<COMPILE_LANGUAGE:CUDA>:--extended-lambda -Xcompiler=-ffp-contract=off,-Wall,-Wextra,-Wshadow,-Wno-unused-but-set-parameter,--param=ggc-min-heapsize=400000>)
endfunction()

# cuSPARSE as a peer, for the program and the benchmarks: its header is read here, the library is loaded by whoever asks for it.
function(lookback_cusparse)
  find_path(LOOKBACK_CUSPARSE_HEADER cusparse.h PATHS ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES} NO_DEFAULT_PATH)
  if(NOT LOOKBACK_CUSPARSE_HEADER)
    message(STATUS "lookback: no cusparse.h, so that nothing is compared with cuSPARSE")
    return()
  endif()
  add_library(lookback_cusparse STATIC apps/dispatch/cusparse.cpp)
  target_compile_definitions(lookback_cusparse INTERFACE LOOKBACK_HAS_CUSPARSE=1)
  get_filename_component(libraries ${LOOKBACK_CUSPARSE_HEADER}/../lib REALPATH)
  target_compile_definitions(lookback_cusparse PRIVATE LOOKBACK_CUDA_LIBRARIES="${libraries}")
  target_include_directories(lookback_cusparse PUBLIC apps)
  target_include_directories(lookback_cusparse SYSTEM PUBLIC ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})
  target_link_libraries(lookback_cusparse PUBLIC lookback ${CMAKE_DL_LIBS} PRIVATE lookback_own)
endfunction()

# Many short files that read the same headers and instantiate the same templates of the standard library, CLI11 and GoogleTest: compiled
# eight at a time, which takes half of the seconds, a sixth for the commands. clang-tidy looks at files.
function(lookback_few_units target)
  if(NOT CMAKE_CXX_CLANG_TIDY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()

# The program: dispatch/ is the run-time table over types and operators, the rest is host code compiled once.
function(lookback_program)
  find_package(CLI11 REQUIRED)
  find_package(ZLIB REQUIRED)
  find_package(Threads REQUIRED)
  find_package(Eigen3 REQUIRED NO_MODULE)
  find_package(OpenMP COMPONENTS CXX)
  file(GLOB dispatch CONFIGURE_DEPENDS apps/dispatch/*.cpp)
  file(GLOB cpu_tables CONFIGURE_DEPENDS apps/dispatch/*_cpu*.cpp)
  list(REMOVE_ITEM dispatch ${cpu_tables} ${PROJECT_SOURCE_DIR}/apps/dispatch/cusparse.cpp)
  file(GLOB dispatch_gpu CONFIGURE_DEPENDS apps/dispatch/*.cu)
  file(GLOB commands CONFIGURE_DEPENDS apps/*.cpp apps/jobs/options.cpp apps/jobs/*_options.cpp)
  file(GLOB common CONFIGURE_DEPENDS apps/io/*.cpp apps/generate/*.cpp apps/jobs/*.cpp apps/report/*.cpp)
  list(REMOVE_ITEM common ${commands})
  # The tables are the most of what is compiled, and the same whatever else is asked for: under a sanitizer, where they instantiate
  # what the tests instantiate and are no part of what it looks at, those of another build will do (.ci/run).
  set(LOOKBACK_CPU_TABLES "" CACHE FILEPATH "With a sanitizer: liblookback_cpu_tables.a of a build of the same sources, this time")
  if(LOOKBACK_SANITIZER AND LOOKBACK_CPU_TABLES)
    add_library(lookback_cpu_tables STATIC IMPORTED)
    set_target_properties(lookback_cpu_tables PROPERTIES IMPORTED_LOCATION ${LOOKBACK_CPU_TABLES}
                                                         INTERFACE_LINK_LIBRARIES "${OpenMP_CXX_LIBRARIES}")
  else()
    add_library(lookback_cpu_tables STATIC ${cpu_tables})
    target_link_libraries(lookback_cpu_tables PUBLIC lookback PRIVATE lookback_own Eigen3::Eigen ${OpenMP_CXX_LIBRARIES})
    target_include_directories(lookback_cpu_tables PUBLIC apps)
    # Scans of integers are as fast at -O2, and compile in two thirds of the time; reproducible ones and compactions are not.
    foreach(width IN ITEMS 8 16 32 64)
      set_source_files_properties(apps/dispatch/scan_cpu_${width}.cpp PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O2>)
    endforeach()
    # Eigen's threads are a peer; without OpenMP it has one.
    set_source_files_properties(apps/dispatch/spmv_cpu_eigen.cpp PROPERTIES COMPILE_OPTIONS "${OpenMP_CXX_FLAGS}")
  endif()
  add_library(lookback_dispatch STATIC ${dispatch})
  target_link_libraries(lookback_dispatch PUBLIC lookback lookback_cpu_tables PRIVATE lookback_own)
  target_include_directories(lookback_dispatch PUBLIC apps)
  if(LOOKBACK_SANITIZER)
    target_compile_options(lookback_dispatch PRIVATE -fno-sanitize=all)
    if(NOT LOOKBACK_CPU_TABLES)
      target_compile_options(lookback_cpu_tables PRIVATE -fno-sanitize=all)
    endif()
  endif()
  if(LOOKBACK_HAS_GPU)
    target_sources(lookback_dispatch PRIVATE ${dispatch_gpu})
    target_compile_definitions(lookback_dispatch PUBLIC LOOKBACK_HAS_GPU=1)
    if(TARGET lookback_cusparse)
      target_link_libraries(lookback_dispatch PRIVATE lookback_cusparse)
    endif()
  endif()
  # What is loops over items stands in io/, generate/, jobs/ and dispatch/. Commands read options and call; CLI11 makes them slow to compile, so it
  # is read once for all of them, only they see it, and nothing of them is optimized. Under a sanitizer, whose code is the most of it,
  # neither is the rest: it compiles in a third of the time.
  add_executable(lookback_program ${common})
  add_library(lookback_commands OBJECT ${commands})
  target_precompile_headers(lookback_commands PRIVATE <CLI/CLI.hpp>)
  lookback_few_units(lookback_commands)
  lookback_few_units(lookback_program)
  set_source_files_properties(apps/main.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)  # tests leave its object out
  target_compile_options(lookback_commands PRIVATE $<$<CONFIG:Release>:-O0>)
  target_link_libraries(lookback_commands PRIVATE lookback_dispatch lookback_own CLI11::CLI11)
  if(LOOKBACK_SANITIZER)
    target_compile_options(lookback_commands PRIVATE -O0)
    target_compile_options(lookback_program PRIVATE -O0)
    # A peer and reference that runs for seconds: at -O0 the demo on real files takes 35 s, so 18 s.
    set_source_files_properties(apps/jobs/plain_pagerank.cpp PROPERTIES COMPILE_OPTIONS -O2)
  endif()
  set_target_properties(lookback_program PROPERTIES OUTPUT_NAME lookback BUILD_RPATH "$ORIGIN")
  execute_process(COMMAND git describe --always --dirty WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE commit
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  set(facts LOOKBACK_COMMIT="${commit}")
  if(LOOKBACK_PROGRAM_CHECK AND LOOKBACK_HAS_GPU AND CMAKE_BUILD_TYPE STREQUAL "Release")
    list(APPEND facts LOOKBACK_CAVEAT="GPU code compiled in haste")
  endif()
  set_source_files_properties(apps/report/machine.cpp PROPERTIES COMPILE_DEFINITIONS "${facts}")
  target_compile_definitions(lookback_program PRIVATE LOOKBACK_VERSION="${PROJECT_VERSION}")
  target_link_libraries(lookback_program PRIVATE lookback_commands lookback_dispatch lookback_own ZLIB::ZLIB Threads::Threads)
  if(PROJECT_IS_TOP_LEVEL)
    install(TARGETS lookback_program)
  endif()
endfunction()

# GPU form of a source: a generated one-line .cu that includes the .cpp, so that one text serves both back ends.
function(lookback_gpu_source name source result)
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${name}.cu)
  file(CONFIGURE OUTPUT ${generated} CONTENT "#include \"${source}\"\n")
  set(${result} ${generated} PARENT_SCOPE)
endfunction()

# An executable of ${name}.cpp for one back end (cpu or gpu): the include path chooses the harness.
function(lookback_harnessed target name back_end)
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp)
  if(back_end STREQUAL "gpu")
    lookback_gpu_source(${target} ${source} source)
  endif()
  add_executable(${target} ${source})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/${back_end})
  target_link_libraries(${target} PRIVATE lookback_own)
  # Packed for another machine, the libraries lie beside it (scripts/gpu_pack.sh).
  set_target_properties(${target} PROPERTIES BUILD_RPATH "$ORIGIN")
endfunction()

# The flag that takes for granted what this machine has, if the compiler knows it: kernels of the lower SIMD levels, which nothing
# would call here, are not compiled then. A third of the program, in half the time.
function(lookback_this_machine target)
  include(CheckCXXCompilerFlag)
  check_cxx_compiler_flag(-march=native LOOKBACK_KNOWS_THIS_MACHINE)
  if(LOOKBACK_KNOWS_THIS_MACHINE)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-march=native>)
  endif()
endfunction()

# Headers that every test for the CPU includes are read once for all machines, once for this one, by targets that have nothing else to
# do.
function(lookback_read_harness target machine)
  set(harness lookback_harness_${machine})
  if(NOT TARGET ${harness})
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/harness.cpp CONTENT "")
    add_library(${harness} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/harness.cpp)
    target_precompile_headers(${harness} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/cpu/harness.hpp)
    target_link_libraries(${harness} PRIVATE lookback_own GTest::gtest GTest::gmock GTest::gtest_main)
    lookback_test_level(${harness})
    if(machine STREQUAL "this")
      lookback_this_machine(${harness})
    endif()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${harness})
  if(machine STREQUAL "this")
    lookback_this_machine(${target})
  endif()
endfunction()

# Another level than the program's, which takes three quarters of the time: the engine must be right at both. Reports of undefined
# behaviour are a tenth to a third of what a sanitizer's build compiles. A trap is one instruction: with ASAN_OPTIONS=handle_sigill=1, as
# ctest's preset has it, the address sanitizer tells where it was, but not what. GCC 12 does not look at dynamic types (vptr) then: the
# library has none; the program, which has, keeps its reports.
function(lookback_test_level target)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O1>)
  endif()
  if(LOOKBACK_SANITIZER_TRAPS)
    include(CheckCXXCompilerFlag)
    check_cxx_compiler_flag(-fsanitize-trap=undefined LOOKBACK_KNOWS_SANITIZER_TRAP)  # GCC 13
    set(flag $<IF:$<BOOL:${LOOKBACK_KNOWS_SANITIZER_TRAP}>,-fsanitize-trap=undefined,-fsanitize-undefined-trap-on-error>)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${flag}>)
  endif()
endfunction()

# lookback_test(name [LIBRARIES ...] [TIMEOUT seconds]): tests/name.cpp on the CPU, as cpu.name.* in ctest. Compiled for this machine, or,
# where its text names SIMD levels, for any.
function(lookback_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "LIBRARIES" ${ARGN})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp)
  file(STRINGS ${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp levels REGEX "simd_level|each_reproducible_policy")
  set(machine this)
  if(levels)
    set(machine any)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  set(target test_cpu_${name})
  lookback_harnessed(${target} ${name} cpu)
  target_link_libraries(${target} PRIVATE GTest::gtest GTest::gmock GTest::gtest_main ${arg_LIBRARIES})
  lookback_read_harness(${target} ${machine})
  lookback_test_level(${target})
  gtest_discover_tests(${target} TEST_PREFIX "cpu." DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS cpu)
endfunction()

# For the .cu files of a directory, if `option` is on: that says that they are compiled and never run, as where no GPU is. Half of what nvcc
# does, the optimizer and the host's code generator, makes nothing then that anyone sees. Every template is instantiated, every kernel
# assembled all the same. A directory's files have the flags with which it ends, directories that it adds those until then.
macro(lookback_gpu_check option)
  if(${option} AND LOOKBACK_HAS_GPU)
    include(CheckCompilerFlag)
    check_compiler_flag(CUDA -Ofc=max LOOKBACK_KNOWS_FAST_COMPILE)  # CUDA 12.9
    string(REGEX REPLACE "-O[1-3]" "-O0" CMAKE_CUDA_FLAGS_RELEASE "${CMAKE_CUDA_FLAGS_RELEASE}")
    if(LOOKBACK_KNOWS_FAST_COMPILE)
      string(APPEND CMAKE_CUDA_FLAGS_RELEASE " -Ofc=max")
    endif()
  endif()
endmacro()

# lookback_gpu_tests(group name ... [LIBRARIES ...]): the same texts on the GPU, as gpu.name.* in ctest, SKIPPED, with the reason, where no
# GPU is. Several make one program, test_gpu_group: half of what nvcc does for each is to read the same headers, and kernels that
# several of them call are compiled once. PORTABLE compiles for devices before sm_90, which newer ones do when it is loaded.
function(lookback_gpu_tests group)
  cmake_parse_arguments(arg "PORTABLE" "" "LIBRARIES" ${ARGN})
  if(NOT LOOKBACK_HAS_GPU)
    return()
  endif()
  set(target test_gpu_${group})
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${target}.cu)
  list(TRANSFORM arg_UNPARSED_ARGUMENTS REPLACE "(.+)" "#include \"${CMAKE_CURRENT_SOURCE_DIR}/\\1.cpp\"" OUTPUT_VARIABLE includes)
  list(JOIN includes "\n" includes)
  file(CONFIGURE OUTPUT ${source} CONTENT "${includes}\n")
  add_executable(${target} ${source})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/gpu)
  target_link_libraries(${target} PRIVATE lookback_own GTest::gtest GTest::gmock GTest::gtest_main ${arg_LIBRARIES})
  # Packed for another machine, the libraries lie beside it (scripts/gpu_pack.sh).
  set_target_properties(${target} PROPERTIES BUILD_RPATH "$ORIGIN")
  set(prefix gpu.)
  if(arg_PORTABLE)
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES 80-virtual)
    set(prefix gpu.portable.)
  endif()
  gtest_discover_tests(${target} TEST_PREFIX ${prefix} DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 300 LABELS gpu)
endfunction()

# What every benchmark for the CPU includes, and what takes longest to read of the rest, read once for all of them.
function(lookback_read_bench target)
  if(NOT TARGET lookback_bench_harness)
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/harness.cpp CONTENT "")
    add_library(lookback_bench_harness OBJECT ${CMAKE_CURRENT_BINARY_DIR}/harness.cpp)
    target_include_directories(lookback_bench_harness PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/cpu)
    target_link_libraries(lookback_bench_harness PRIVATE lookback_own benchmark::benchmark)
    target_precompile_headers(lookback_bench_harness PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/main.hpp <algorithm> <execution> <numeric>
                                                             <tbb/parallel_for.h> <tbb/parallel_scan.h>)
    lookback_bench_level(lookback_bench_harness)
  endif()
  target_precompile_headers(${target} REUSE_FROM lookback_bench_harness)
  lookback_bench_level(${target})
endfunction()

# Only to see that they compile, where that is asked for.
function(lookback_bench_level target)
  if(LOOKBACK_BENCH_CHECK)
    target_compile_options(${target} PRIVATE -O0)
    lookback_this_machine(${target})
  endif()
endfunction()

# lookback_bench(name [BACK_ENDS cpu|gpu] [PEERS file.cu ...]): bench/name.cpp as bench_cpu_name and bench_gpu_name, or one of them. Peers
# are compiled once for all.
function(lookback_bench name)
  cmake_parse_arguments(arg "" "" "BACK_ENDS;PEERS" ${ARGN})
  if(NOT arg_BACK_ENDS)
    set(arg_BACK_ENDS cpu gpu)
  endif()
  foreach(back_end IN LISTS arg_BACK_ENDS)
    if(back_end STREQUAL "gpu" AND NOT LOOKBACK_HAS_GPU)
      continue()
    endif()
    lookback_harnessed(bench_${back_end}_${name} ${name} ${back_end})
    target_link_libraries(bench_${back_end}_${name} PRIVATE benchmark::benchmark)
    if(back_end STREQUAL "cpu")
      lookback_read_bench(bench_cpu_${name})
    else()
      foreach(file IN LISTS arg_PEERS)
        string(MAKE_C_IDENTIFIER "bench_${file}" peers)
        if(NOT TARGET ${peers})
          add_library(${peers} OBJECT ${file})
          target_link_libraries(${peers} PRIVATE lookback_own)
        endif()
        target_link_libraries(bench_gpu_${name} PRIVATE ${peers})
      endforeach()
    endif()
  endforeach()
endfunction()
