/*
 * Known calls for a profiler that attaches: attached WAY. Says "ready", and does at each letter of its input what the way says; says "done" then, with what it has
 * measured by its own clock, in ns.
 *
 *     poll    two threads call poll 300 times for at least 1 ms, nested in no other function
 *     nested  calls qsort 20 times, whose comparison calls poll: the time in qsort altogether, and that in poll
 *     leave   leaves qsort 100 times by longjmp, and then calls poll for 0.5 s: the time in qsort
 *     exit    two threads end within qsort, and then the program calls poll for 0.5 s: the time in qsort
 *     busy    one thread calls poll all the time; the main thread calls it once, for 0.8 s, and then computes for 1.4 s
 *     twice   calls work_item of libone.so 3 times and that of libtwo.so 5 times
 *     spin    calls getppid until it is killed, without a letter
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 2, CALLS = 300, SORTS = 20, LEFT = 100, MS = 1000000 };

static jmp_buf way_out;
static long long polled_ns;
static atomic_int is_over;

static long long now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void *wait_often(void *unused)
{
    for (int i = 0; i < CALLS; i++)
        poll(NULL, 0, 1);
    return unused;
}

static void *poll_always(void *unused)
{
    while (!atomic_load(&is_over))
        poll(NULL, 0, 0);
    return unused;
}

static void sort(int (*compare)(const void *, const void *))
{
    int numbers[3] = {3, 2, 1};
    qsort(numbers, 3, sizeof(int), compare);
}

static int compare_slowly(const void *left, const void *right)
{
    long long begin_ns = now_ns();
    poll(NULL, 0, 2);
    polled_ns += now_ns() - begin_ns;
    return *(const int *) left - *(const int *) right;
}

static int leave(const void *left, const void *right)
{
    (void) left;
    (void) right;
    longjmp(way_out, 1);
}

static int end_thread(const void *left, const void *right)
{
    (void) left;
    (void) right;
    pthread_exit(NULL);
}

static void *sort_to_the_end(void *unused)
{
    sort(end_thread);
    return unused;
}

static void run_threads(void *(*run)(void *) )
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void leave_often(void)
{
    for (volatile int i = 0; i < LEFT; i++) {
        if (setjmp(way_out) == 0)
            sort(leave);
    }
}

static void be_busy(void)
{
    pthread_t other;
    pthread_create(&other, NULL, poll_always, NULL);
    poll(NULL, 0, 800);
    for (long long end_ns = now_ns() + 1400LL * MS; now_ns() < end_ns;)
        ;
    atomic_store(&is_over, 1);
    pthread_join(other, NULL);
}

static void call(const char *library, int times)
{
    void *handle = dlopen(library, RTLD_NOW);
    int (*work_item)(int) = handle == NULL ? NULL : (int (*)(int)) dlsym(handle, "work_item");
    for (int i = 0; i < times && work_item != NULL; i++)
        work_item(i);
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    char letter;
    if (strcmp(way, "twice") == 0) {
        call("libone.so", 0);
        call("libtwo.so", 0);
    }
    puts("ready");
    fflush(stdout);
    if (strcmp(way, "spin") == 0)
        for (;;)
            getppid();
    while (read(STDIN_FILENO, &letter, 1) == 1) {
        long long begin_ns = now_ns(), took_ns = 0;
        if (strcmp(way, "poll") == 0) {
            run_threads(wait_often);
        } else if (strcmp(way, "nested") == 0) {
            for (int i = 0; i < SORTS; i++)
                sort(compare_slowly);
        } else if (strcmp(way, "leave") == 0) {
            leave_often();
        } else if (strcmp(way, "exit") == 0) {
            run_threads(sort_to_the_end);
        } else if (strcmp(way, "busy") == 0) {
            be_busy();
        } else if (strcmp(way, "twice") == 0) {
            call("libone.so", 3);
            call("libtwo.so", 5);
        }
        took_ns = now_ns() - begin_ns;
        if (strcmp(way, "leave") == 0 || strcmp(way, "exit") == 0)
            poll(NULL, 0, 500);
        printf("done %lld %lld\n", took_ns, polled_ns);
        fflush(stdout);
    }
    return 0;
}
