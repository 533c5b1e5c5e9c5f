/*
 * A race of a few microseconds that observing hides. Two processes share a count. In each of them, two threads on one CPU pass a token to and fro, which takes some
 * tens of microseconds. This process adds 1 to the count after HANDOVERS rounds. Its child, on another CPU, adds 1 to the same count, badly: it reads the count after
 * READ_AFTER rounds of its own, and writes it after WRITE_AFTER rounds. The addition between the two is lost. Whatever makes the switches of this process longer by
 * more than a tenth, and those of its child by less, delays the addition until the child is through, and nothing is lost any more. No time is measured, so that a
 * machine on which all switches take longer loses as many additions. All threads have a real-time priority: other programs would come between two of them.
 *
 * racing
 *     counts the lost additions of TRIALS trials after some to warm up, and prints "N of TRIALS lost".
 *     Exit code 1: at least half of the trials lost an addition; 0: fewer; 2: it cannot run here.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

enum {
    HANDOVERS = 20,
    READ_AFTER = 16,
    WRITE_AFTER = 22,
    WARM_UP = 200,
    TRIALS = 300,
    MISUSE = 2,
};

/* What both processes see. */
struct race {
    atomic_long begun;   /* the trial that goes on, counted from 1 */
    atomic_long written; /* the last trial in which the child wrote the count */
    atomic_long count;
};

static struct race *race;
static int partners_cpu;
static sem_t to_partner, to_leader;

static void fail(const char *what)
{
    fprintf(stderr, "racing: %s\n", what);
    exit(MISUSE);
}

static void raise_priority(void)
{
    struct sched_param lowest = {.sched_priority = sched_get_priority_min(SCHED_FIFO)};
    if (sched_setscheduler(0, SCHED_FIFO, &lowest) != 0) {
        fail("it may not have a real-time priority");
    }
}

static void pin(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (pthread_setaffinity_np(pthread_self(), sizeof set, &set) != 0) {
        fail("cannot bind a thread to its CPU");
    }
}

/* Finds the first and the last CPU that this process may use. */
static void find_cpus(int *first, int *last)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) < 2) {
        fail("it takes two CPUs");
    }
    *first = -1;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET(cpu, &set)) {
            *first = *first < 0 ? cpu : *first;
            *last = cpu;
        }
    }
}

static void *partner(void *unused)
{
    pin(partners_cpu);
    for (;;) {
        sem_wait(&to_partner);
        sem_post(&to_leader);
    }
    return unused;
}

/* Starts the partner of this thread, on the same CPU. */
static void start_partner(int cpu)
{
    pthread_t thread;
    pin(cpu);
    partners_cpu = cpu;
    sem_init(&to_partner, 0, 0);
    sem_init(&to_leader, 0, 0);
    if (pthread_create(&thread, NULL, partner, NULL) != 0) {
        fail("cannot start a thread");
    }
}

static void pass_token(int rounds)
{
    for (int i = 0; i < rounds; i++) {
        sem_post(&to_partner);
        sem_wait(&to_leader);
    }
}

static void write_badly(int cpu)
{
    start_partner(cpu);
    for (long trial = 1; trial <= WARM_UP + TRIALS; trial++) {
        while (atomic_load(&race->begun) < trial) {
        }
        pass_token(READ_AFTER);
        long seen = atomic_load(&race->count);
        pass_token(WRITE_AFTER - READ_AFTER);
        atomic_store(&race->count, seen + 1);
        atomic_store(&race->written, trial);
    }
}

/* Returns in how many trials an addition was lost. */
static long add(int cpu)
{
    long lost = 0;
    start_partner(cpu);
    for (long trial = 1; trial <= WARM_UP + TRIALS; trial++) {
        atomic_store(&race->count, 0);
        atomic_store(&race->begun, trial);
        pass_token(HANDOVERS);
        atomic_fetch_add(&race->count, 1);
        while (atomic_load(&race->written) < trial) {
        }
        lost += trial > WARM_UP && atomic_load(&race->count) != 2;
    }
    return lost;
}

int main(void)
{
    int first = 0;
    int last = 0;
    find_cpus(&first, &last);
    raise_priority();
    race = mmap(NULL, sizeof *race, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (race == MAP_FAILED) {
        fail("cannot share memory");
    }
    pid_t adder = getpid();
    pid_t child = fork();
    if (child < 0) {
        fail("cannot start a process");
    }
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() == adder) {
            write_badly(last);
        }
        _exit(0);
    }
    long lost = add(first);
    printf("%ld of %d lost\n", lost, TRIALS);
    return 2 * lost >= TRIALS;
}
