/*
 * Measures a call through the linkage table: prints nanoseconds a call, of the fastest of some rounds. With and without the profiler, the
 * difference is what it costs.
 */
#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CALLS 20000
#define ROUNDS 10

int main(void)
{
    double least_ns = 1e18;
    volatile long sum = 0;
    int round;

    for (round = 0; round < ROUNDS; round++) {
        struct timespec begin;
        struct timespec end;
        double ns;
        int i;

        clock_gettime(CLOCK_MONOTONIC, &begin);
        for (i = 0; i < CALLS; i++) {
            sum += labs(i);
        }
        clock_gettime(CLOCK_MONOTONIC, &end);
        ns = (double) (end.tv_sec - begin.tv_sec) * 1e9 + (double) (end.tv_nsec - begin.tv_nsec);
        least_ns = ns < least_ns ? ns : least_ns;
    }
    printf("%.2f\n", least_ns / CALLS);
    return 0;
}
