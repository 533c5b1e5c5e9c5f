/* Joins a multicast group on loopback and reads it, until "stop" comes on standard input. "echo" is answered after all that has
   arrived so far is read. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int join(const char *group, int port)
{
    int one = 1;
    struct sockaddr_in local = {.sin_family = AF_INET, .sin_port = htons((unsigned short) port)};
    struct ip_mreqn membership = {.imr_ifindex = 0};
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    inet_pton(AF_INET, group, &membership.imr_multiaddr);
    inet_pton(AF_INET, "127.0.0.1", &membership.imr_address);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) != 0 || bind(fd, (struct sockaddr *) &local, sizeof(local)) != 0
        || setsockopt(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &membership, sizeof(membership)) != 0) {
        perror("join");
        exit(1);
    }
    return fd;
}

static void drain(int fd)
{
    char datagram[2048];
    while (recv(fd, datagram, sizeof(datagram), MSG_DONTWAIT) >= 0) {
    }
}

int main(int argc, char **argv)
{
    char line[64];
    int reading = 1;
    if (argc != 3) {
        fprintf(stderr, "usage: %s group port\n", argv[0]);
        return 64;
    }
    int fd = join(argv[1], atoi(argv[2]));
    puts("ready");
    fflush(stdout);
    for (;;) {
        struct pollfd fds[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = reading ? fd : -1, .events = POLLIN}};
        if (poll(fds, 2, -1) < 0) {
            return 1;
        }
        if (fds[1].revents) {
            drain(fd);
        }
        if (fds[0].revents) {
            ssize_t length = read(STDIN_FILENO, line, sizeof(line) - 1);
            if (length <= 0) {
                return 0;
            }
            line[length] = 0;
            /* Both words may come in one piece. */
            if (strstr(line, "stop") != NULL) {
                reading = 0;
            }
            if (strstr(line, "echo") != NULL) {
                drain(fd);
                puts("echo");
                fflush(stdout);
            }
        }
    }
}
