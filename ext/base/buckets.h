/* Bucket sort, for keys that take few different values. */
#ifndef OPTIMAL_BASE_BUCKETS_H
#define OPTIMAL_BASE_BUCKETS_H

/* In falling order of keys 0 .. most: begin[key] holds how many have it, and then where those of it start. */
static inline void bucket_starts(int *begin, int most) {
    for (int key = most, at = 0; key >= 0; key--) {
        const int of_this = begin[key];
        begin[key] = at;
        at += of_this;
    }
}

#endif
