/* What the compiler offers: vector code, several builds of a loop, bits, prefetches, atomic cells.

   Whole loops are cloned for wider vector units and chosen at run time (OPTIMAL_CLONES), so one binary runs
   everywhere; what they call is OPTIMAL_INLINE, or it would be built for the base instruction set alone.

   Compilers without vectors get plain loops that do the same; OPTIMAL_PLAIN=1 builds these with any compiler, and
   OPTIMAL_NATIVE=1 builds for one machine (setup.py). tests/engine/kernels.c compares all of them with the plainest
   loops. */
#ifndef OPTIMAL_BASE_VECTORS_H
#define OPTIMAL_BASE_VECTORS_H

#include <stddef.h>
#include <stdint.h> /* of glibc: says so, by __GLIBC__ */
#include <string.h>

/* Which clone to take the loader finds out (ifunc): that of glibc can, that of musl can't. */
#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) \
    && __GNUC__ >= 12 && !defined(OPTIMAL_NATIVE) && !defined(OPTIMAL_PLAIN)
#define OPTIMAL_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define OPTIMAL_CLONES
#endif

/* Before a loop of a fixed, small number of rounds, which GCC keeps as a loop by -O2. */
#if defined(__GNUC__) && !defined(__clang__)
#define OPTIMAL_UNROLL _Pragma("GCC unroll 8")
#else
#define OPTIMAL_UNROLL
#endif

/* OPTIMAL_PLAIN is for tests of what serves other compilers. */
#if (defined(__GNUC__) || defined(__clang__)) && !defined(OPTIMAL_PLAIN)
#define OPTIMAL_VECTORS 1
#define OPTIMAL_INLINE static inline __attribute__((always_inline))
#define OPTIMAL_POPCOUNT64(x) __builtin_popcountll(x)
#define OPTIMAL_LOWEST_BIT(x) __builtin_ctzll(x)
#define OPTIMAL_PREFETCH(p) __builtin_prefetch(p)
#define OPTIMAL_LOAD(p) __atomic_load_n((p), __ATOMIC_RELAXED)
#define OPTIMAL_STORE(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
/* Add to a counter; gives its value before. */
#define OPTIMAL_COUNT(p, by) __atomic_fetch_add((p), (by), __ATOMIC_ACQ_REL)
/* A byte that guards what threads share: 0; 1, one thread fills it; 2, it is there. */
#define OPTIMAL_CLAIM(p) __sync_bool_compare_and_swap((p), 0, 1)
#define OPTIMAL_PUBLISH(p) __atomic_store_n((p), 2, __ATOMIC_RELEASE)
#define OPTIMAL_IS_THERE(p) (__atomic_load_n((p), __ATOMIC_ACQUIRE) == 2)
#else
#define OPTIMAL_VECTORS 0
#define OPTIMAL_INLINE static inline
#define OPTIMAL_PREFETCH(p) ((void)(p))
static int OPTIMAL_LOWEST_BIT(uint64_t x) { int i = 0; for (; !(x & 1); x >>= 1) i++; return i; }
static int OPTIMAL_POPCOUNT64(uint64_t x) { int c = 0; for (; x; x &= x - 1) c++; return c; }
#define OPTIMAL_CLAIM(p) 0
#define OPTIMAL_PUBLISH(p) ((void)(p))
#define OPTIMAL_IS_THERE(p) 0
#define OPTIMAL_LOAD(p) (*(volatile int64_t *)(p))
#define OPTIMAL_STORE(p, v) (*(volatile int64_t *)(p) = (v))
#endif

/* The low bits of eight bytes of 0 or 1, side by side. */
OPTIMAL_INLINE uint64_t low_bits(const uint8_t *bytes) {
    uint64_t eight = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(&eight, bytes, sizeof eight);
#else
    for (int i = 0; i < 8; i++) eight |= (uint64_t)bytes[i] << 8 * i;
#endif
    return eight * 0x0102040810204080ull >> 56;
}

#endif
