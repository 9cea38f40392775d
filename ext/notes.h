/* Notes: what is proven of the classes under way, for those who keep a journal of it. */
#ifndef OPTIMAL_NOTES_H
#define OPTIMAL_NOTES_H

#include "partition.h"

#define NOTE_LOOKS TUNED(100, 3) /* looks at the stop flag between two notes: some tenths of a second */
#define NOTE_STOPPED TUNED(8, 1) /* before one at the end: helpers of a team are stopped often */
#define NOTE_LEAST TUNED(16, 4)  /* smaller sets are soon searched again */

/* Of a class that takes long, the guesses that were refuted are all there is to show before its end: what they cost at
   least. Those are noted that took so many codes, in a call that goes on for so many looks already, and of a long one
   only those that took this part of it: there are not too many of them. */
#define NOTE_CODES TUNED((int64_t)1 << 20, 1)
#define NOTE_FROM TUNED(8, 0)
#define NOTE_PART 4096
#define WHOLE (-1) /* in place of feedback, at the end of a note's history: the guess, whatever the feedback */

/* A partition whose classes are searched one after the other, and the one in whose course that is done. */
typedef struct under_way_t {
    const partition_t *p;
    int d;             /* guesses left for the classes */
    int done;          /* classes that were looked at, the first of them */
    int noted;         /* those of them whose notes were taken */
    struct under_way_t *outer;
} under_way_t;

#endif
