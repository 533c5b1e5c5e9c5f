/*
 * Receives UDP on a port of loopback in its thread "recv", which never waits for a datagram. On the word "more" on standard input it starts a
 * second thread, "other", which works now and then; on any other word it computes for 300 ms.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const long long STALL_NS = 300000000;

static long long now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void compute(long long length_ns)
{
    long long end_ns = now_ns() + length_ns;
    while (now_ns() < end_ns) {
    }
}

static void *work(void *unused)
{
    prctl(PR_SET_NAME, "other");
    for (;;) {
        compute(STALL_NS / 300);
        usleep(20000);
    }
    return unused;
}

int main(int count, char **arguments)
{
    char bytes[2048];
    struct sockaddr_in address = {.sin_family = AF_INET};
    int in = socket(AF_INET, SOCK_DGRAM, 0);
    int buffer_bytes = 65536;
    if (count != 2) {
        return 1;
    }
    prctl(PR_SET_NAME, "recv");
    address.sin_port = htons((unsigned short) atoi(arguments[1]));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(in, SOL_SOCKET, SO_RCVBUF, &buffer_bytes, sizeof(buffer_bytes));
    if (bind(in, (struct sockaddr *) &address, sizeof(address)) != 0) {
        return 1;
    }
    fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
    puts("ready");
    fflush(stdout);
    for (;;) {
        ssize_t words;
        while (recv(in, bytes, sizeof(bytes), MSG_DONTWAIT) > 0) {
        }
        words = read(STDIN_FILENO, bytes, sizeof(bytes));
        if (words == 0) {
            return 0;
        }
        if (words >= 4 && memcmp(bytes, "more", 4) == 0) {
            pthread_t other;
            if (pthread_create(&other, NULL, work, NULL) != 0) {
                return 1;
            }
        } else if (words > 0) {
            compute(STALL_NS);
        }
    }
}
