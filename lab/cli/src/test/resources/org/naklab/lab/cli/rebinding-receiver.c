/*
 * Receives UDP, and does to its sockets what programs do: it closes and binds again, passes a descriptor to another process, and opens very many. For each command on standard
 * input ("rebind N", "reuse N", "pass N", "many N") it tells how many binds were refused, and how many datagrams arrived.
 *
 *   rebinding-receiver PORT
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_MS = 2000, MOST = 2048 };

/* Each socket lives for some looks of whoever watches it. */
static const struct timespec LIFE = {0, 15000000};

static unsigned short port;
static int refused, received;

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

/* Addresses of the loopback that nobody else uses. */
static struct sockaddr_in address(int number)
{
    return (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(0x7f4d0001U + (unsigned int) number)};
}

/* Returns -1 if the address is in use. */
static int bound(int number, int is_reused)
{
    struct sockaddr_in own = address(number);
    int descriptor = socket(AF_INET, SOCK_DGRAM, 0);
    if (descriptor < 0 || setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &is_reused, sizeof is_reused) != 0)
        fail("socket");
    if (bind(descriptor, (struct sockaddr *) &own, sizeof own) == 0)
        return descriptor;
    if (errno != EADDRINUSE)
        fail("bind");
    refused++;
    close(descriptor);
    return -1;
}

static void send_one(void)
{
    struct sockaddr_in to = address(0);
    int sender = socket(AF_INET, SOCK_DGRAM, 0);
    if (sender < 0 || sendto(sender, "datagram", 8, 0, (struct sockaddr *) &to, sizeof to) != 8)
        fail("send");
    close(sender);
}

static int receive_one(int descriptor)
{
    char data[16];
    struct pollfd polled = {.fd = descriptor, .events = POLLIN};
    return poll(&polled, 1, PATIENCE_MS) == 1 && recv(descriptor, data, sizeof data, 0) == 8;
}

static void live(void)
{
    nanosleep(&LIFE, NULL);
}

static int rebind(int descriptor, int times)
{
    for (int i = 0; i < times; i++) {
        close(descriptor);
        descriptor = bound(0, 0);
        send_one();
        received += descriptor >= 0 && receive_one(descriptor);
        live();
    }
    return descriptor;
}

/* The successor is bound before its predecessor is closed; what is sent after that is for the successor. */
static int reuse(int descriptor, int times)
{
    close(descriptor);
    descriptor = bound(0, 1);
    for (int i = 0; i < times; i++) {
        int successor = bound(0, 1);
        close(descriptor);
        descriptor = successor;
        send_one();
        received += descriptor >= 0 && receive_one(descriptor);
        live();
    }
    return descriptor;
}

static void pass(int channel, int descriptor)
{
    char control[CMSG_SPACE(sizeof descriptor)] = {0};
    struct iovec content = {.iov_base = "d", .iov_len = 1};
    struct msghdr message = {.msg_iov = &content, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof descriptor);
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    if (sendmsg(channel, &message, 0) != 1)
        fail("pass");
}

/* Returns -1 at the end. */
static int taken(int channel)
{
    int descriptor;
    char control[CMSG_SPACE(sizeof descriptor)], data;
    struct iovec content = {.iov_base = &data, .iov_len = 1};
    struct msghdr message = {.msg_iov = &content, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    if (recvmsg(channel, &message, 0) != 1 || !CMSG_FIRSTHDR(&message))
        return -1;
    memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof descriptor);
    return descriptor;
}

/* The other process receives one datagram by each descriptor, closes it, and says whether the datagram came. */
static void receive_for_others(int channel)
{
    for (int descriptor; (descriptor = taken(channel)) >= 0;) {
        char came = (char) receive_one(descriptor);
        close(descriptor);
        if (write(channel, &came, 1) != 1)
            fail("answer");
    }
    exit(0);
}

static int pass_on(int descriptor, int channel, int times)
{
    for (int i = 0; i < times; i++) {
        char came = 0;
        live();
        if (descriptor >= 0) {
            pass(channel, descriptor);
            close(descriptor);
            send_one();
            if (read(channel, &came, 1) != 1)
                fail("answer");
        }
        received += came;
        descriptor = bound(0, 0);
    }
    return descriptor;
}

static void open_many(int count)
{
    static int descriptors[MOST];
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < count; i++)
            descriptors[i] = bound(1 + i, 0);
        for (int times = 0; times < 20; times++)
            live();
        for (int i = 0; i < count; i++)
            close(descriptors[i]);
    }
}

int main(int count, char **arguments)
{
    struct rlimit files = {MOST + 64, MOST + 64};
    int channel[2], number;
    char word[16];
    port = (unsigned short) atoi(count == 2 ? arguments[1] : "0");
    if (port == 0 || setrlimit(RLIMIT_NOFILE, &files) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, channel) != 0)
        fail("begin");
    pid_t other = fork();
    if (other == 0) {
        close(channel[0]);
        receive_for_others(channel[1]);
    }
    close(channel[1]);
    int descriptor = bound(0, 0);
    printf("ready, refused %d\n", refused);
    fflush(stdout);
    while (scanf("%15s %d", word, &number) == 2 && number < MOST) {
        refused = received = 0;
        if (strcmp(word, "rebind") == 0)
            descriptor = rebind(descriptor, number);
        else if (strcmp(word, "reuse") == 0)
            descriptor = reuse(descriptor, number);
        else if (strcmp(word, "pass") == 0)
            descriptor = pass_on(descriptor, channel[0], number);
        else
            open_many(number);
        printf("%s: refused %d, received %d\n", word, refused, received);
        fflush(stdout);
    }
    return 0;
}
