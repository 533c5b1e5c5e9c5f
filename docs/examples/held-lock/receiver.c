/* A receiver takes a lock for each datagram, and a reporter sometimes holds it for a quarter of a second. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static pthread_mutex_t book = PTHREAD_MUTEX_INITIALIZER;
static struct sockaddr_in address = {.sin_family = AF_INET};
static long count;

static void *feed(void *in)
{
    char datagram[1500];
    while (recv(*(int *) in, datagram, sizeof(datagram), 0) > 0) {
        pthread_mutex_lock(&book);
        count++;
        pthread_mutex_unlock(&book);
    }
    return NULL;
}

static void *report(void *unused)
{
    for (;;) {
        sleep(3);
        pthread_mutex_lock(&book);
        usleep(250000);
        pthread_mutex_unlock(&book);
    }
    return unused;
}

static void start(const char *name, void *(*body)(void *), void *argument)
{
    pthread_t thread;
    pthread_create(&thread, NULL, body, argument);
    pthread_setname_np(thread, name);
}

int main(void)
{
    char datagram[400] = {0};
    int in = socket(AF_INET, SOCK_DGRAM, 0);
    int out = socket(AF_INET, SOCK_DGRAM, 0);
    int buffer_bytes = 65536;
    address.sin_port = htons(40124);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(in, SOL_SOCKET, SO_RCVBUF, &buffer_bytes, sizeof(buffer_bytes));
    if (bind(in, (struct sockaddr *) &address, sizeof(address)) != 0) {
        return 1;
    }
    start("feed", feed, &in);
    start("reporter", report, NULL);
    for (;;) {
        sendto(out, datagram, sizeof(datagram), 0, (struct sockaddr *) &address, sizeof(address));
        usleep(500);
    }
}
