/*
 * receiver GROUP PORT: receives numbered datagrams of a multicast group, and knows nothing of Java or of faults.
 *
 * Each datagram is a decimal number, from 1. A datagram "N" to the next port ends a round of N datagrams: the receiver prints the numbers
 * that it has missed, as "missing 3 17", and begins the next round. The end of a round may come several times.
 */
#include <arpa/inet.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define MOST_NUMBERS 100000

static bool seen[MOST_NUMBERS + 1];
static long received;

static int joined(const char *group, int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct ip_mreqn membership = {0};
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (inet_pton(AF_INET, group, &address.sin_addr) != 1) {
        fprintf(stderr, "%s is no IPv4 address\n", group);
        exit(64);
    }
    membership.imr_multiaddr = address.sin_addr;
    if (fd < 0 || bind(fd, (struct sockaddr *) &address, sizeof address) != 0 || setsockopt(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &membership, sizeof membership) != 0) {
        perror("no membership");
        exit(71);
    }
    return fd;
}

/* Returns the number in the next datagram; 0 if there is none. */
static long next(int fd)
{
    char text[32];
    ssize_t length = recv(fd, text, sizeof text - 1, MSG_DONTWAIT);
    long number;
    if (length <= 0) {
        return 0;
    }
    text[length] = '\0';
    number = strtol(text, NULL, 10);
    return number > 0 && number <= MOST_NUMBERS ? number : 0;
}

static void receive_all(int fd)
{
    for (long number = next(fd); number != 0; number = next(fd)) {
        seen[number] = true;
        received++;
    }
}

static void report(long count)
{
    printf("missing");
    for (long number = 1; number <= count; number++) {
        if (!seen[number]) {
            printf(" %ld", number);
        }
    }
    printf("\n");
    fflush(stdout);
    memset(seen, 0, sizeof seen);
    received = 0;
}

int main(int argc, char **argv)
{
    struct pollfd sockets[2] = {{.events = POLLIN}, {.events = POLLIN}};
    if (argc != 3) {
        fprintf(stderr, "usage: receiver GROUP PORT\n");
        return 64;
    }
    sockets[0].fd = joined(argv[1], atoi(argv[2]));
    sockets[1].fd = joined(argv[1], atoi(argv[2]) + 1);
    printf("receiving\n");
    fflush(stdout);
    while (poll(sockets, 2, -1) > 0) {
        long count = 0;
        for (long end = next(sockets[1].fd); end != 0; end = next(sockets[1].fd)) {
            count = end;
        }
        /* What came before the end of the round is there by now. */
        receive_all(sockets[0].fd);
        if (count != 0 && received > 0) {
            report(count);
        }
    }
    perror("poll");
    return 71;
}
