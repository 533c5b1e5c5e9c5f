/*
 * The application that does nothing, slowly: convoy wide|narrow MILLISECONDS
 *
 * Four writers wait in poll(2) for events from two pipes. Those of one pipe, one event of a hundred, write a snapshot that all writers share and
 * need the lock of a file. The wide program takes the lock right after poll, for every event. The narrow one takes it for the one case
 * that needs it. Prints the events of both kinds.
 */
#define _GNU_SOURCE

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WRITERS 4
#define PERIOD 100
#define PLAIN_US 300
#define SNAPSHOT_US 2000

struct counts {
    long plain;
    long snapshots;
};

static long long now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

static void handle_events(const char *path, int is_wide, long long end_ms, struct counts *counts)
{
    int lock = open(path, O_RDWR);
    int plain[2];
    int snapshots[2];
    long number;

    if (lock < 0 || pipe(plain) != 0 || pipe(snapshots) != 0) {
        _exit(1);
    }
    for (number = 1; now_ms() < end_ms; number++) {
        struct pollfd ready[2] = {{plain[0], POLLIN, 0}, {snapshots[0], POLLIN, 0}};
        char event = 'e';

        /* The event that somebody would send. */
        if (write(number % PERIOD == 0 ? snapshots[1] : plain[1], &event, 1) != 1 || poll(ready, 2, -1) < 0) {
            _exit(1);
        }
        if (is_wide) {
            flock(lock, LOCK_EX);
        }
        if ((ready[0].revents & POLLIN) != 0 && read(plain[0], &event, 1) == 1) {
            usleep(PLAIN_US);
            counts->plain++;
        }
        if ((ready[1].revents & POLLIN) != 0 && read(snapshots[0], &event, 1) == 1) {
            if (!is_wide) {
                flock(lock, LOCK_EX);
            }
            usleep(SNAPSHOT_US);
            counts->snapshots++;
            if (!is_wide) {
                flock(lock, LOCK_UN);
            }
        }
        if (is_wide) {
            flock(lock, LOCK_UN);
        }
    }
    _exit(0);
}

int main(int argc, char **argv)
{
    char path[] = "/tmp/naklab-convoy-XXXXXX";
    int is_wide = argc > 1 && strcmp(argv[1], "wide") == 0;
    long long end_ms = now_ms() + (argc > 2 ? atoi(argv[2]) : 1000);
    struct counts *counts = mmap(NULL, WRITERS * sizeof(struct counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct counts all = {0, 0};
    int i;

    if (mkstemp(path) < 0 || counts == MAP_FAILED) {
        return 1;
    }
    for (i = 0; i < WRITERS; i++) {
        if (fork() == 0) {
            handle_events(path, is_wide, end_ms, &counts[i]);
        }
    }
    while (wait(NULL) > 0) {
    }
    unlink(path);
    for (i = 0; i < WRITERS; i++) {
        all.plain += counts[i].plain;
        all.snapshots += counts[i].snapshots;
    }
    printf("%ld plain events, %ld snapshots\n", all.plain, all.snapshots);
    return 0;
}
