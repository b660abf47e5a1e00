# Wrappers, so that a leaf CMakeLists.txt only names sources and dependencies.

# MLIR and LLVM as shared libraries, each exactly once. Naming a static
# MLIRxxx target anywhere would bring a second copy of MLIR into the process.
add_library(EnscMLIR INTERFACE)
target_link_libraries(EnscMLIR INTERFACE MLIR LLVM)

# What programs outside of ensc that link a library include.
function(ensc_export_headers name)
  target_include_directories(${name} INTERFACE ${PROJECT_SOURCE_DIR}/include)
endfunction()

# add_ensc_library(NAME sources... [LINK libs...] [DEPENDS targets...])
# A library without LLVM: it must build and run where LLVM is not installed.
function(add_ensc_library name)
  cmake_parse_arguments(ARG "" "" "LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  ensc_export_headers(${name})
  llvm_update_compile_flags(${name})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# add_ensc_mlir_library(NAME sources... [LINK libs...] [DEPENDS targets...])
# A library on top of MLIR; all of them share one precompiled header.
function(add_ensc_mlir_library name)
  cmake_parse_arguments(ARG "" "" "LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} EnscMLIR)
  ensc_export_headers(${name})
  llvm_update_compile_flags(${name})
  target_precompile_headers(${name} REUSE_FROM EnscPrecompiled)
  add_dependencies(${name} EnscIncGen ${ARG_DEPENDS})
endfunction()

# add_ensc_tool(NAME sources... [LINK libs...])
function(add_ensc_tool name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  llvm_update_compile_flags(${name})
endfunction()

# add_ensc_mlir_tool(NAME sources... [LINK libs...])
function(add_ensc_mlir_tool name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_ensc_tool(${name} ${ARG_UNPARSED_ARGUMENTS} LINK ${ARG_LINK} EnscMLIR)
  ensc_use_precompiled_header(${name})
endfunction()

# Executables are compiled as the libraries are, or the header would not fit:
# CMake gives them -fPIE where LLVM's flags already say -fPIC.
function(ensc_use_precompiled_header name)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_precompile_headers(${name} REUSE_FROM EnscPrecompiled)
  add_dependencies(${name} EnscIncGen)
endfunction()

# ensc_uses_mlir(result targets...): whether one of them links MLIR in the end.
function(ensc_uses_mlir result)
  set(${result} OFF PARENT_SCOPE)
  foreach(target ${ARGN})
    if(target STREQUAL EnscMLIR)
      set(${result} ON PARENT_SCOPE)
      return()
    endif()
    if(NOT TARGET ${target})
      continue()
    endif()
    get_target_property(linked ${target} LINK_LIBRARIES)
    if(linked)
      ensc_uses_mlir(uses ${linked})
      if(uses)
        set(${result} ON PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
endfunction()

# What the sanitizer build builds and runs: sanitizers and LLVM's shared
# libraries do not mix, and the code that reads untrusted files needs no LLVM.
add_custom_target(llvm-free-unittests)

# add_ensc_unittest(NAME sources... [LINK libs...])
function(add_ensc_unittest name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest_main)
  llvm_update_compile_flags(${name})
  add_test(NAME ${name} COMMAND ${name})
  # Tests are to compile, and to leave no trace in a user's directories.
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "ENSC_CACHE_DIR=")
  ensc_uses_mlir(uses_mlir ${ARG_LINK})
  if(NOT uses_mlir)
    set_tests_properties(${name} PROPERTIES LABELS llvm-free)
    add_dependencies(llvm-free-unittests ${name})
  endif()
endfunction()

# add_ensc_mlir_unittest(NAME sources... [LINK libs...])
function(add_ensc_mlir_unittest name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_ensc_unittest(${name} ${ARG_UNPARSED_ARGUMENTS} LINK ${ARG_LINK} EnscMLIR)
  ensc_use_precompiled_header(${name})
endfunction()
