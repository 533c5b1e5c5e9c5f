/*
 * Receives UDP on a port of loopback, with a buffer of 64 KiB or the bytes that are given, in the thread "recv". On the command "lock" the thread "reporter" holds a mutex for 300 ms that recv needs for each
 * datagram; on "pipe" recv writes to a full pipe, which reporter empties after 300 ms; on "work" recv computes for 300 ms; on
 * "flock" reporter holds the lock of the program's own file for 300 ms, which recv needs for each datagram; on "slow" recv computes for longer than
 * the time between two datagrams, for a second.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const struct timespec STALL = {0, 300000000};
static const struct timespec MILLISECOND = {0, 1000000};
static const long long SLOW_NS = 1000000000;
static const long long SLOW_WORK_NS = 1500000;

static pthread_mutex_t book = PTHREAD_MUTEX_INITIALIZER;
static atomic_int pipe_wanted;
static atomic_int work_wanted;
static atomic_int lock_wanted;
static atomic_int empty_wanted;
static atomic_int flock_wanted;
static atomic_int flock_taken;
static atomic_llong slow_until_ns;
static int pipe_ends[2];
static int files[2];

static long long now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static inline __attribute__((always_inline)) void work(long long length_ns)
{
    long long end_ns = now_ns() + length_ns;
    /* Mostly work of its own: a loop that only reads the clock would be found in the function that reads it. */
    while (now_ns() < end_ns) {
        for (volatile int i = 0; i < 100000; i++) {
        }
    }
}

void on_datagram(void)
{
    char byte = 0;
    pthread_mutex_lock(&book);
    pthread_mutex_unlock(&book);
    if (atomic_exchange(&pipe_wanted, 0) && write(pipe_ends[1], &byte, 1) != 1) {
        exit(1);
    }
    if (atomic_exchange(&flock_taken, 0) && (flock(files[0], LOCK_EX) != 0 || flock(files[0], LOCK_UN) != 0)) {
        exit(1);
    }
    if (atomic_exchange(&work_wanted, 0)) {
        work(STALL.tv_nsec);
    }
    if (now_ns() < atomic_load(&slow_until_ns)) {
        work(SLOW_WORK_NS);
    }
}

static void *receive(void *argument)
{
    char datagram[2048];
    pthread_setname_np(pthread_self(), "recv");
    while (recv(*(int *) argument, datagram, sizeof(datagram), 0) > 0) {
        on_datagram();
    }
    return NULL;
}

static void hold_lock(void)
{
    pthread_mutex_lock(&book);
    nanosleep(&STALL, NULL);
    pthread_mutex_unlock(&book);
}

static void hold_file_lock(void)
{
    if (flock(files[1], LOCK_EX) != 0) {
        exit(1);
    }
    atomic_store(&flock_taken, 1);
    nanosleep(&STALL, NULL);
    flock(files[1], LOCK_UN);
}

static void empty_pipe(void)
{
    char bytes[65536];
    nanosleep(&STALL, NULL);
    if (read(pipe_ends[0], bytes, sizeof(bytes)) <= 0) {
        exit(1);
    }
}

static void *report(void *argument)
{
    (void) argument;
    pthread_setname_np(pthread_self(), "reporter");
    for (;;) {
        if (atomic_exchange(&lock_wanted, 0)) {
            hold_lock();
        } else if (atomic_exchange(&flock_wanted, 0)) {
            hold_file_lock();
        } else if (atomic_exchange(&empty_wanted, 0)) {
            empty_pipe();
        }
        nanosleep(&MILLISECOND, NULL);
    }
    return NULL;
}

static void fill_pipe(void)
{
    char bytes[4096];
    memset(bytes, 0, sizeof(bytes));
    fcntl(pipe_ends[1], F_SETFL, O_NONBLOCK);
    while (write(pipe_ends[1], bytes, sizeof(bytes)) > 0) {
    }
    fcntl(pipe_ends[1], F_SETFL, 0);
}

int main(int count, char **arguments)
{
    char line[64];
    pthread_t threads[2];
    struct sockaddr_in address = {.sin_family = AF_INET};
    int in = socket(AF_INET, SOCK_DGRAM, 0);
    int buffer_bytes = count == 3 ? atoi(arguments[2]) : 65536;
    if (count < 2 || count > 3 || pipe(pipe_ends) != 0) {
        return 1;
    }
    for (int i = 0; i < 2; i++) {
        files[i] = open(arguments[0], O_RDONLY);
    }
    address.sin_port = htons((unsigned short) atoi(arguments[1]));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(in, SOL_SOCKET, SO_RCVBUF, &buffer_bytes, sizeof(buffer_bytes));
    if (bind(in, (struct sockaddr *) &address, sizeof(address)) != 0) {
        return 1;
    }
    pthread_create(&threads[0], NULL, receive, &in);
    pthread_create(&threads[1], NULL, report, NULL);
    puts("ready");
    fflush(stdout);
    while (fgets(line, sizeof(line), stdin) != NULL) {
        if (strcmp(line, "lock\n") == 0) {
            atomic_store(&lock_wanted, 1);
        } else if (strcmp(line, "pipe\n") == 0) {
            fill_pipe();
            atomic_store(&pipe_wanted, 1);
            atomic_store(&empty_wanted, 1);
        } else if (strcmp(line, "flock\n") == 0) {
            atomic_store(&flock_wanted, 1);
        } else if (strcmp(line, "work\n") == 0) {
            atomic_store(&work_wanted, 1);
        } else if (strcmp(line, "slow\n") == 0) {
            atomic_store(&slow_until_ns, now_ns() + SLOW_NS);
        }
    }
    return 0;
}
