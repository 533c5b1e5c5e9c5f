/* Measures a call through the linkage table: prints nanoseconds a call. With and without the profiler, the difference is what it costs. */
#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CALLS 200000

int main(void) {
    struct timespec begin;
    struct timespec end;
    volatile long sum = 0;
    int i;

    sum += labs(-1);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (i = 0; i < CALLS; i++) {
        sum += labs(i);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%.2f\n", ((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec)) / CALLS);
    return 0;
}
