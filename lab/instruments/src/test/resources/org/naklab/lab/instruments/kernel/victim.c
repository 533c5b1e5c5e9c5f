/*
 * A foreign process that stands still on command and measures that by itself. It does one thing for each line on standard input and
 * prints what it measured, CLOCK_MONOTONIC in ns; it ends with standard input.
 *
 *   victim lock | write FILE | beat | trace | busy | spin CPU | touch FILE LENGTH | uffd | bind | udp PORT | sleep | twice | inode FILE
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { HOLD_US = 300000, HOG_NS = 200000000, GAP_NS = 150000000, DATAGRAMS = 400, SLEEPS = 20000, SHORT_SLEEPS = 100, PAGE = 4096 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t taken;

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void die(const char *what)
{
    printf("error %s: %s\n", what, strerror(errno));
    exit(1);
}

static void span(long long from)
{
    printf("span %lld %lld\n", from, now());
}

static void *report(void *unused)
{
    prctl(PR_SET_NAME, "reporter");
    pthread_mutex_lock(&mutex);
    pthread_barrier_wait(&taken);
    usleep(HOLD_US);
    pthread_mutex_unlock(&mutex);
    return unused;
}

/* Has the name of a function of C++. */
static void handle_message(void) __asm__("_ZN6Victim13handleMessageEi");

static __attribute__((noinline)) void handle_message(void)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

static void lock(void)
{
    pthread_t thread;
    pthread_barrier_init(&taken, NULL, 2);
    pthread_create(&thread, NULL, report, NULL);
    pthread_barrier_wait(&taken);
    long long from = now();
    handle_message();
    span(from);
    pthread_join(thread, NULL);
}

static void write_file(const char *file)
{
    int fd = open(file, O_WRONLY);
    if (fd < 0)
        die(file);
    long long from = now();
    if (write(fd, "x", 1) != 1)
        die("write");
    span(from);
    close(fd);
}

/* Until it has seen a gap. Spins and releases a hog, or sleeps. */
static void beat(int hog)
{
    struct timespec millisecond = {0, 1000000};
    if (hog < 0)
        printf("beats\n");
    int released = 0;
    for (long long last = now();;) {
        if (hog < 0)
            nanosleep(&millisecond, NULL);
        else if (!released++ && write(hog, "", 1) != 1)
            die("write");
        long long time = now();
        if (time - last >= GAP_NS) {
            printf("span %lld %lld\n", last, time);
            return;
        }
        last = time;
    }
}

/* A child stops it for a while. */
static void trace(void)
{
    pid_t traced = getpid();
    pid_t tracer = fork();
    if (tracer == 0) {
        prctl(PR_SET_NAME, "tracer");
        usleep(HOLD_US / 10);
        if (ptrace(PTRACE_SEIZE, traced, NULL, NULL) != 0 || ptrace(PTRACE_INTERRUPT, traced, NULL, NULL) != 0 || waitpid(traced, NULL, __WALL) != traced)
            _exit(1);
        usleep(HOLD_US);
        ptrace(PTRACE_DETACH, traced, NULL, NULL);
        _exit(0);
    }
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    beat(-1);
    waitpid(tracer, NULL, 0);
}

static void *work(void *unused)
{
    prctl(PR_SET_NAME, "worker");
    usleep(HOLD_US / 10);
    long long from = now();
    while (now() - from < HOLD_US * 1000LL)
        ;
    span(from);
    usleep(HOLD_US / 10);
    return unused;
}

static void busy(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
}

static void spin(int cpu)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0)
        die("sched_setaffinity");
    int ends[2];
    char byte = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        die("socketpair");
    pid_t hog = fork();
    if (hog == 0) {
        struct sched_param first = {.sched_priority = 1};
        prctl(PR_SET_NAME, "hog");
        if (sched_setscheduler(0, SCHED_FIFO, &first) != 0)
            _exit(1);
        if (write(ends[0], &byte, 1) != 1 || read(ends[0], &byte, 1) != 1)
            _exit(1);
        for (long long end = now() + HOG_NS; now() < end;)
            ;
        _exit(0);
    }
    close(ends[0]);
    if (read(ends[1], &byte, 1) != 1)
        die("real-time priority");
    beat(ends[1]);
    waitpid(hog, NULL, 0);
}

static long major_faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_majflt;
}

/* Touches each page of a mapped file that is hardly in the cache, and tells for which of them it had to wait. */
static void touch(const char *file, long length)
{
    int fd = open(file, O_RDONLY);
    if (fd < 0)
        die(file);
    fdatasync(fd);
    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    volatile const char *mapped = mmap(NULL, (size_t) length, PROT_READ, MAP_PRIVATE, fd, 0);
    madvise((void *) mapped, (size_t) length, MADV_RANDOM);
    for (long page = 0; page < length; page += PAGE) {
        long faults = major_faults();
        long long from = now();
        (void) mapped[page];
        long long to = now();
        printf("touch %lld %lld %lld %ld %ld\n", from, to, (long long) (uintptr_t) (mapped + page), page, major_faults() - faults);
    }
    printf("done\n");
}

struct late {
    int fd;
    char *page;
    int is_awaited;
};

static void *copy_late(void *argument)
{
    static char content[PAGE];
    struct late *late = argument;
    struct uffd_msg message;
    prctl(PR_SET_NAME, "pager");
    if (read(late->fd, &message, sizeof message) != sizeof message)
        die("read");
    if (late->is_awaited)
        pthread_barrier_wait(&taken);
    usleep(HOLD_US);
    struct uffdio_copy copy = {.dst = message.arg.pagefault.address & ~(PAGE - 1ULL), .src = (uintptr_t) content, .len = PAGE};
    ioctl(late->fd, UFFDIO_COPY, &copy);
    return NULL;
}

/* A page whose first access takes long. */
static struct late late_page(void)
{
    struct late late = {.fd = (int) syscall(SYS_userfaultfd, O_CLOEXEC)};
    struct uffdio_api api = {.api = UFFD_API};
    late.page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct uffdio_register range = {.range = {(uintptr_t) late.page, PAGE}, .mode = UFFDIO_REGISTER_MODE_MISSING};
    if (late.fd < 0 || ioctl(late.fd, UFFDIO_API, &api) != 0 || ioctl(late.fd, UFFDIO_REGISTER, &range) != 0)
        die("userfaultfd");
    return late;
}

static void user_fault(void)
{
    struct late late = late_page();
    pthread_t thread;
    pthread_create(&thread, NULL, copy_late, &late);
    long long from = now();
    *(volatile char *) late.page = 1;
    printf("touch %lld %lld %lld 0\n", from, now(), (long long) (uintptr_t) late.page);
    printf("done\n");
    pthread_join(thread, NULL);
}

/* Pages of the C library in which the dynamic linker looks symbols up. */
struct table {
    int fd;
    char *begin, *content;
    size_t length;
};

static struct table hash_table(void)
{
    struct link_map *map = NULL;
    uintptr_t hash = 0, symbols = 0;
    void *library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    if (!library || dlinfo(library, RTLD_DI_LINKMAP, &map) != 0)
        die("dlinfo");
    for (ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_GNU_HASH)
            hash = entry->d_un.d_ptr;
        if (entry->d_tag == DT_SYMTAB)
            symbols = entry->d_un.d_ptr;
    }
    uintptr_t begin = (hash + PAGE - 1) & ~(PAGE - 1UL), end = symbols & ~(PAGE - 1UL);
    if (begin >= end)
        die("the hash table is short");
    return (struct table){.begin = (char *) begin, .length = end - begin};
}

/* Only the first page comes late. It calls nothing that is not bound before the pages are taken away. */
static void *copy_table(void *argument)
{
    struct table *table = argument;
    struct uffd_msg message;
    for (int pages = 0; read(table->fd, &message, sizeof message) == sizeof message; pages++) {
        size_t offset = (message.arg.pagefault.address & ~(PAGE - 1ULL)) - (uintptr_t) table->begin;
        struct uffdio_copy copy = {.dst = (uintptr_t) table->begin + offset, .src = (uintptr_t) table->content + offset, .len = PAGE};
        if (pages == 0)
            usleep(HOLD_US);
        ioctl(table->fd, UFFDIO_COPY, &copy);
    }
    return NULL;
}

/* Calls a function of the C library for the first time. */
static void bind_late(void)
{
    struct table table = hash_table();
    struct uffdio_api api = {.api = UFFD_API};
    struct uffdio_register range = {.range = {(uintptr_t) table.begin, table.length}, .mode = UFFDIO_REGISTER_MODE_MISSING};
    table.fd = (int) syscall(SYS_userfaultfd, O_CLOEXEC);
    table.content = mmap(NULL, table.length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(table.content, table.begin, table.length);
    if (table.fd < 0 || ioctl(table.fd, UFFDIO_API, &api) != 0)
        die("userfaultfd");
    pthread_t thread;
    if (read(-1, NULL, 0) != -1 || usleep(1) != 0)
        die("read");
    pthread_create(&thread, NULL, copy_table, &table);
    long long from = now();
    if (mmap(table.begin, table.length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED || ioctl(table.fd, UFFDIO_REGISTER, &range) != 0)
        die("register");
    getsid(0);
    span(from);
}

static void udp(int port)
{
    int receiver = socket(AF_INET, SOCK_DGRAM, 0), sender = socket(AF_INET, SOCK_DGRAM, 0), raw = socket(AF_INET, SOCK_RAW, IPPROTO_UDP);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t) port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int small = 4096, received = 0;
    char datagram[512] = {0};
    setsockopt(receiver, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    if (raw < 0 || bind(receiver, (struct sockaddr *) &address, sizeof address) != 0)
        die("socket");
    for (int i = 0; i < DATAGRAMS; i++)
        sendto(sender, datagram, sizeof datagram, 0, (struct sockaddr *) &address, sizeof address);
    while (recv(receiver, datagram, sizeof datagram, MSG_DONTWAIT) >= 0)
        received++;
    /* Source port, destination port, length, a checksum that is wrong. */
    uint16_t header[4] = {htons(9), htons((uint16_t) port), htons(8), htons(0xdead)};
    for (int i = 0; i < DATAGRAMS; i++) {
        sendto(raw, header, sizeof header, 0, (struct sockaddr *) &address, sizeof address);
        while (recv(receiver, datagram, sizeof datagram, MSG_DONTWAIT) >= 0)
            ;
    }
    printf("udp %d %d\n", DATAGRAMS - received, DATAGRAMS);
}

/* In a C library of its own, beside that of the program. */
static void sleep_in_second_library(void)
{
    void *library = dlmopen(LM_ID_NEWLM, "libc.so.6", RTLD_NOW);
    int (*sleep_us)(useconds_t) = library ? (int (*)(useconds_t)) dlsym(library, "usleep") : NULL;
    if (!sleep_us)
        die("dlmopen");
    long long from = now();
    sleep_us(HOLD_US);
    span(from);
}

static void sleep_often(void)
{
    for (int i = 0; i < SLEEPS; i++)
        usleep(1);
    printf("done\n");
}

static void sleep_shortly(void)
{
    struct timespec three_milliseconds = {0, 3000000};
    long long from = now();
    for (int i = 0; i < SHORT_SLEEPS; i++)
        nanosleep(&three_milliseconds, NULL);
    span(from);
}

/* Reads the file, which has no room in the page cache of its group. */
static void read_all(const char *file)
{
    static char block[1 << 16];
    int fd = open(file, O_RDONLY);
    if (fd < 0)
        die(file);
    long long from = now();
    while (read(fd, block, sizeof block) > 0)
        ;
    span(from);
}

/* A child holds the lock of the file. */
static void lock_file(const char *file)
{
    int fd = open(file, O_RDWR), ends[2];
    char byte = 0;
    if (fd < 0 || pipe(ends) != 0)
        die(file);
    pid_t holder = fork();
    if (holder == 0) {
        prctl(PR_SET_NAME, "holder");
        int own = open(file, O_RDWR);
        if (own < 0 || flock(own, LOCK_EX) != 0 || write(ends[1], &byte, 1) != 1)
            _exit(1);
        usleep(HOLD_US);
        flock(own, LOCK_UN);
        _exit(0);
    }
    if (read(ends[0], &byte, 1) != 1)
        die("read");
    long long from = now();
    if (flock(fd, LOCK_EX) != 0)
        die("flock");
    long long to = now();
    printf("span %lld %lld %d\n", from, to, (int) holder);
    waitpid(holder, NULL, 0);
    fgets((char[8]){0}, 8, stdin); /* the file stays open until all was looked at */
}

/* The file that is written by two threads, and the page that one of them writes. */
struct written {
    int fd;
    const char *page;
};

static void *write_late(void *argument)
{
    const struct written *written = argument;
    prctl(PR_SET_NAME, "holder");
    if (write(written->fd, written->page, 1) != 1)
        die("write");
    return NULL;
}

/* Writes a file whose inode another thread has locked: the page that the other one writes comes late. */
static void write_locked(const char *file)
{
    struct late late = late_page();
    struct written written = {.fd = open(file, O_WRONLY), .page = late.page};
    pthread_t pager, holder;
    if (written.fd < 0)
        die(file);
    late.is_awaited = 1;
    pthread_barrier_init(&taken, NULL, 2);
    pthread_create(&pager, NULL, copy_late, &late);
    pthread_create(&holder, NULL, write_late, &written);
    pthread_barrier_wait(&taken);
    long long from = now();
    if (write(written.fd, "", 1) != 1)
        die("write");
    span(from);
    pthread_join(pager, NULL);
    pthread_join(holder, NULL);
    close(written.fd);
}

int main(int count, char **arguments)
{
    char line[64];
    const char *mode = count > 1 ? arguments[1] : "";
    setvbuf(stdout, NULL, _IOLBF, 0);
    prctl(PR_SET_NAME, "victim");
    printf("ready\n");
    while (fgets(line, sizeof line, stdin)) {
        if (strcmp(mode, "lock") == 0)
            lock();
        else if (strcmp(mode, "write") == 0)
            write_file(arguments[2]);
        else if (strcmp(mode, "beat") == 0)
            beat(-1);
        else if (strcmp(mode, "trace") == 0)
            trace();
        else if (strcmp(mode, "busy") == 0)
            busy();
        else if (strcmp(mode, "spin") == 0)
            spin(atoi(arguments[2]));
        else if (strcmp(mode, "touch") == 0)
            touch(arguments[2], atol(arguments[3]));
        else if (strcmp(mode, "uffd") == 0)
            user_fault();
        else if (strcmp(mode, "bind") == 0)
            bind_late();
        else if (strcmp(mode, "udp") == 0)
            udp(atoi(arguments[2]));
        else if (strcmp(mode, "sleep") == 0)
            sleep_often();
        else if (strcmp(mode, "short") == 0)
            sleep_shortly();
        else if (strcmp(mode, "read") == 0)
            read_all(arguments[2]);
        else if (strcmp(mode, "flock") == 0)
            lock_file(arguments[2]);
        else if (strcmp(mode, "inode") == 0)
            write_locked(arguments[2]);
        else if (strcmp(mode, "twice") == 0)
            sleep_in_second_library();
    }
    return 0;
}
