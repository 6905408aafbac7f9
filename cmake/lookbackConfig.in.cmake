@PACKAGE_INIT@
include(CMakeFindDependencyMacro)
find_dependency(TBB)
include(${CMAKE_CURRENT_LIST_DIR}/lookbackTargets.cmake)
check_required_components(lookback)
