/* What the compiler offers: vector code, several builds of a loop, bits, atomic cells.

   Whole loops are cloned for wider vector units and chosen at run time (OPTIMAL_CLONES), so one binary runs
   everywhere. */
#ifndef OPTIMAL_VECTORS_H
#define OPTIMAL_VECTORS_H

#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12 \
    && !defined(OPTIMAL_NATIVE)
#define OPTIMAL_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define OPTIMAL_CLONES
#endif

#if defined(__GNUC__) || defined(__clang__)
#define OPTIMAL_VECTORS 1
#define OPTIMAL_POPCOUNT64(x) __builtin_popcountll(x)
#define OPTIMAL_LOWEST_BIT(x) __builtin_ctzll(x)
#define OPTIMAL_LOAD(p) __atomic_load_n((p), __ATOMIC_RELAXED)
#define OPTIMAL_STORE(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#else
#define OPTIMAL_VECTORS 0
static int OPTIMAL_LOWEST_BIT(uint64_t x) { int i = 0; for (; !(x & 1); x >>= 1) i++; return i; }
static int OPTIMAL_POPCOUNT64(uint64_t x) { int c = 0; for (; x; x &= x - 1) c++; return c; }
#define OPTIMAL_LOAD(p) (*(volatile int64_t *)(p))
#define OPTIMAL_STORE(p, v) (*(volatile int64_t *)(p) = (v))
#endif

#endif
