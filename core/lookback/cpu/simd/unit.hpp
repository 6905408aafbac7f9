// The back end's code differs with what the compiler may take for granted (-march): two units of one program, built for different
// machines, must not share it. So all of it lies in an inline namespace named after the least instruction set of the unit, and the
// linker keeps one of each. Types outside of it (errors, operators, ranges) are the same everywhere; a policy that one unit hands
// to a function of another built for another machine is an error of the linker. As Highway does.
#pragma once

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define LOOKBACK_UNIT for_avx512
#elif defined(__AVX2__) && defined(__BMI2__)
#define LOOKBACK_UNIT for_avx2
#else
#define LOOKBACK_UNIT for_any
#endif
