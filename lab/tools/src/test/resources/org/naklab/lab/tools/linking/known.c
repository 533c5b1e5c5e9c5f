/* Calls library functions so often as is known, and measures by its own clock: known WAY. */
#define _GNU_SOURCE

#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define THREADS 4

static jmp_buf way_out;

static long long now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static int leave(const void *left, const void *right)
{
    (void) left;
    (void) right;
    longjmp(way_out, 1);
}

static void count(int calls)
{
    int i;

    for (i = 0; i < calls; i++) {
        getppid();
    }
}

static void *work(void *argument)
{
    count(1000);
    return argument;
}

static long long pause_by_own_clock(void)
{
    long long slept_ns = 0;
    int i;

    for (i = 0; i < 10; i++) {
        long long begin_ns = now_ns();

        usleep(20000);
        slept_ns += now_ns() - begin_ns;
    }
    return slept_ns;
}

static void *pause_in_thread(void *argument)
{
    *(long long *) argument = pause_by_own_clock();
    return argument;
}

/* The time that all of them slept. */
static void pause_in_threads(void)
{
    pthread_t threads[THREADS];
    long long slept_ns[THREADS];
    long long sum_ns = 0;
    int i;

    for (i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, pause_in_thread, &slept_ns[i]);
    }
    for (i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        sum_ns += slept_ns[i];
    }
    printf("%lld\n", sum_ns);
}

/* A life with some of everything. Each thread says how long it was, by its own clock. */
static void *live(void *lock)
{
    long long begin_ns = now_ns();
    long long computed_ns;

    usleep(100000);
    poll(NULL, 0, 100);
    pthread_mutex_lock(lock);
    usleep(20000);
    pthread_mutex_unlock(lock);
    for (computed_ns = now_ns(); now_ns() - computed_ns < 20000000;) {
    }
    usleep(100000);
    printf("%d %lld\n", (int) syscall(SYS_gettid), now_ns() - begin_ns);
    return NULL;
}

static void live_in_threads(void)
{
    pthread_t threads[THREADS];
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int i;

    for (i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, live, &lock);
    }
    for (i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
}

static pthread_mutex_t contended = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int is_done;

static void *want_lock(void *argument)
{
    pthread_mutex_lock(&contended);
    while (!is_done) {
        pthread_cond_wait(&condition, &contended);
    }
    pthread_mutex_unlock(&contended);
    return argument;
}

/* Holds a lock for 50 ms and more while threads wait for it. Says where the lock is and which thread held it; a lock that nobody waits for is taken, too. */
static void hold_lock(int is_for_ever)
{
    pthread_mutex_t free_lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_t threads[THREADS];
    int i;

    for (i = 0; i < 1000; i++) {
        pthread_mutex_lock(&free_lock);
        pthread_mutex_unlock(&free_lock);
    }
    pthread_mutex_lock(&contended);
    for (i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, want_lock, NULL);
    }
    while (__atomic_load_n(&contended.__data.__lock, __ATOMIC_RELAXED) != 2) {
        usleep(1000);
    }
    usleep(50000);
    printf("%p %d\n", (void *) &contended, (int) syscall(SYS_gettid));
    fflush(stdout);
    if (is_for_ever) {
        _exit(0);
    }
    pthread_mutex_unlock(&contended);
    usleep(50000);
    pthread_mutex_lock(&contended);
    is_done = 1;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&contended);
    for (i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
}

static long long compared_ns;

static int compare_slowly(const void *left, const void *right)
{
    long long begin_ns = now_ns();

    usleep(5000);
    compared_ns += now_ns() - begin_ns;
    return *(const int *) left - *(const int *) right;
}

/* When it began, the time in qsort altogether, the part of it in usleep, and when it ended. */
static void sort_slowly(long long begin_ns)
{
    long long sorted_ns = 0;
    int i;

    for (i = 0; i < 10; i++) {
        int numbers[3] = {3, 2, 1};
        long long sort_begin_ns = now_ns();

        qsort(numbers, 3, sizeof(int), compare_slowly);
        sorted_ns += now_ns() - sort_begin_ns;
    }
    printf("%lld %lld %lld ", begin_ns, sorted_ns, compared_ns);
    fflush(stdout);
    printf("%lld\n", now_ns());
}

static void on_signal(int number)
{
    (void) number;
    getuid();
}

int main(int argc, char **argv)
{
    long long begin_ns = now_ns();
    const char *way = argc > 1 ? argv[1] : "";
    pthread_t threads[THREADS];
    int numbers[3] = {3, 2, 1};
    int i;

    count(777);
    if (strcmp(way, "threads") == 0) {
        for (i = 0; i < THREADS; i++) {
            pthread_create(&threads[i], NULL, work, NULL);
        }
        for (i = 0; i < THREADS; i++) {
            pthread_join(threads[i], NULL);
        }
    } else if (strcmp(way, "fork") == 0) {
        pid_t child = fork();

        if (child == 0) {
            count(55);
            _exit(0);
        }
        waitpid(child, NULL, 0);
        count(3);
    } else if (strcmp(way, "longjmp") == 0) {
        for (i = 0; i < 100; i++) {
            if (setjmp(way_out) == 0) {
                qsort(numbers, 3, sizeof(int), leave);
            }
        }
        count(3);
    } else if (strcmp(way, "signals") == 0) {
        signal(SIGUSR1, on_signal);
        for (i = 0; i < 50; i++) {
            raise(SIGUSR1);
        }
    } else if (strcmp(way, "arguments") == 0) {
        printf("%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %.1f %.1f\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
            18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31.5, 32.5);
    } else if (strcmp(way, "measure") == 0) {
        printf("%lld\n", pause_by_own_clock());
    } else if (strcmp(way, "measure-threads") == 0) {
        pause_in_threads();
    } else if (strcmp(way, "pause") == 0) {
        usleep(3000000);
        return 3;
    } else if (strcmp(way, "lives") == 0) {
        live_in_threads();
    } else if (strcmp(way, "lock") == 0 || strcmp(way, "deadlock") == 0) {
        hold_lock(strcmp(way, "deadlock") == 0);
    } else if (strcmp(way, "nested") == 0) {
        sort_slowly(begin_ns);
    } else if (strcmp(way, "abort") == 0) {
        abort();
    } else if (strcmp(way, "wait") == 0) {
        puts("ready");
        fflush(stdout);
        pause();
    }
    return 0;
}
