/*
 * Known calls for a profiler that attaches: attached poll|spin. At each letter of its input, two threads call poll 300 times for at least 1 ms, nested in no other
 * function, and the program says so. With spin, it calls getppid until it is killed.
 */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 2, CALLS = 300 };

static void *wait_often(void *unused)
{
    for (int i = 0; i < CALLS; i++)
        poll(NULL, 0, 1);
    return unused;
}

int main(int argc, char **argv)
{
    char letter;
    puts("ready");
    fflush(stdout);
    if (argc > 1 && strcmp(argv[1], "spin") == 0)
        for (;;)
            getppid();
    while (read(STDIN_FILENO, &letter, 1) == 1) {
        pthread_t threads[THREADS];
        for (int i = 0; i < THREADS; i++)
            pthread_create(&threads[i], NULL, wait_often, NULL);
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        puts("done");
        fflush(stdout);
    }
    return 0;
}
