/*
 * A UDP receiver: its main thread "recv" passes each datagram to on_datagram(), and a thread "actor" passes each word of standard input to on_word().
 * Prints spans of CLOCK_MONOTONIC in ns: "gap BEGIN END" if 20 ms or more passed between two datagrams, and what the program measures itself.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <arpa/inet.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define GAP_NS 20000000LL

/* A program may receive in its own way, by a function whose name it defines on the compiler's command line. */
#ifdef RECEIVE
long RECEIVE(int in, char *datagram, long length);
#else
#define RECEIVE(in, datagram, length) recv(in, datagram, length, 0)
#endif

void on_datagram(const char *datagram, long bytes);
void on_word(const char *word);

static long long now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static inline void pause_ms(long ms)
{
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

static void print_span(const char *name, long long began_ns, long long ended_ns)
{
    printf("%s %lld %lld\n", name, began_ns, ended_ns);
    fflush(stdout);
}

static void *act(void *unused)
{
    char line[4096];
    (void) unused;
    pthread_setname_np(pthread_self(), "actor");
    while (fgets(line, sizeof(line), stdin) != NULL) {
        line[strcspn(line, "\n")] = 0;
        on_word(line);
    }
    return NULL;
}

int main(void)
{
    pthread_t actor;
    char datagram[2048];
    long bytes;
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof(address);
    int buffer_bytes = 65536;
    int in = socket(AF_INET, SOCK_DGRAM, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(in, SOL_SOCKET, SO_RCVBUF, &buffer_bytes, sizeof(buffer_bytes));
    if (bind(in, (struct sockaddr *) &address, sizeof(address)) != 0 || getsockname(in, (struct sockaddr *) &address, &length) != 0
        || pthread_create(&actor, NULL, act, NULL) != 0) {
        perror("receiver");
        return 1;
    }
    pthread_setname_np(pthread_self(), "recv");
    printf("port %d\n", ntohs(address.sin_port));
    fflush(stdout);
    long long last_ns = now_ns();
    while ((bytes = RECEIVE(in, datagram, sizeof(datagram))) >= 0) {
        long long received_ns = now_ns();
        if (received_ns - last_ns >= GAP_NS) {
            print_span("gap", last_ns, received_ns);
        }
        last_ns = received_ns;
        on_datagram(datagram, bytes);
    }
    perror("recv");
    return 1;
}
