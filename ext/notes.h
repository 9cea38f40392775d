/* Notes: what is proven of the classes under way, for those who keep a journal of it. */
#ifndef OPTIMAL_NOTES_H
#define OPTIMAL_NOTES_H

#include "partition.h"

#define NOTE_LOOKS TUNED(100, 3) /* looks at the stop flag between two notes: some tenths of a second */
#define NOTE_STOPPED TUNED(8, 1) /* before one at the end: helpers of a team are stopped often */
#define NOTE_LEAST TUNED(16, 4)  /* smaller sets are soon searched again */

/* A partition whose classes are searched one after the other, and the one in whose course that is done. */
typedef struct under_way_t {
    const partition_t *p;
    int d;             /* guesses left for the classes */
    int done;          /* classes that were looked at, the first of them */
    int noted;         /* those of them whose notes were taken */
    struct under_way_t *outer;
} under_way_t;

#endif
