/* What test builds change: assertions, and small thresholds, so that small games go through every shortcut.

   OPTIMAL_DEBUG=1 and OPTIMAL_SMALL=1 (setup.py) turn both on. No threshold changes a value.

   Assertions: no count is above its cap, no exact value below a bound of it, no entry of the table against another. */
#ifndef OPTIMAL_BASE_TESTING_H
#define OPTIMAL_BASE_TESTING_H

#include <assert.h>

/* A threshold as it is, and in a build for tests. */
#ifdef OPTIMAL_SMALL
#define TUNED(usual, small) (small)
#else
#define TUNED(usual, small) (usual)
#endif

#endif
