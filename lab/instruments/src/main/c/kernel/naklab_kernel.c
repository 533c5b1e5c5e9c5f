/*
 * The kernel recorder: loads the BPF programs and writes what they report to standard output, one JSON object a line. Commands come on
 * standard input: "add PID", "remove PID", "port N", "tell", "stop". When standard input ends, it ends; the programs end with it, as nothing is pinned.
 * After "tell" it writes all that it has recorded so far, with the absences that are not over, and then a line "alive".
 *
 *   naklab-kernel --resolve FUNCTION
 *   naklab-kernel --libraries
 *   naklab-kernel [--absence-us N] [--fault-us N] [--stack-pages N] [--thread NAME ...] [--port N] [--interrupt-us N] [--sample-us N] [--sample-user 0|1] [--deliveries 0|1] [--follow 0|1] [--defer 0|1] [PID ...]
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "naklab_confine.h"
#include "naklab_drops.h"
#include "naklab_json.h"
#include "naklab_libraries.h"
#include "naklab_parser.h"
#include "naklab_processes.h"
#include "naklab_programs.h"
#include "naklab_records.h"
#include "naklab_symbols.h"
#include "naklab_time.h"
#include "naklab_unwind.h"

enum { LOOK_PERIOD_MS = 50, WRITE_PERIOD_MS = 100, ALIVE_PERIOD_MS = 500, GAP_NS = 20000000, EXIT_USAGE = 64, LOWEST_PRIORITY = 19 };

/* Whether somebody waits for all that was recorded so far. */
static bool is_asked;

static bool obey(char *command)
{
    int pid;
    unsigned short port;
    if (sscanf(command, "add %d", &pid) == 1)
        add_process(pid);
    else if (sscanf(command, "remove %d", &pid) == 1)
        remove_process(pid);
    else if (sscanf(command, "port %hu", &port) == 1)
        watch_port(port);
    else if (strcmp(command, "tell") == 0)
        is_asked = true;
    return strcmp(command, "stop") != 0;
}

/* Returns false at the end of input, or when told to stop. */
static bool read_commands(void)
{
    static char text[4096];
    static size_t length;
    ssize_t count = read(STDIN_FILENO, text + length, sizeof text - 1 - length);
    if (count <= 0)
        return count < 0 && errno == EINTR;
    length += (size_t) count;
    text[length] = '\0';
    char *line = text;
    for (char *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        if (!obey(line))
            return false;
    }
    length = strlen(line);
    memmove(text, line, length + 1);
    return length < sizeof text - 1;
}

/* Twice a second, and for who has asked: nothing that was recorded before is still to be told. */
static void put_alive(unsigned long long read_ns)
{
    static unsigned long long told_ns;
    if (is_asked || read_ns - told_ns >= ALIVE_PERIOD_MS * 1000000ULL) {
        put_receipts();
        put_deliveries();
        printf("{\"type\":\"alive\",\"timeNs\":%llu}\n", read_ns);
        told_ns = read_ns;
    }
}

/* What was not read because it was refused, or because the parser has ended. */
static void put_failures(void)
{
    int refused = take_refusals() + parser_take_refusals();
    if (refused > 0)
        printf("{\"type\":\"lost\",\"what\":\"system calls\",\"count\":%d,\"timeNs\":%llu}\n", refused, now_ns());
    if (parser_take_end())
        printf("{\"type\":\"lost\",\"what\":\"user stacks\",\"count\":1,\"timeNs\":%llu}\n", now_ns());
}

/* Who reads what is written wakes each time; an answer is written at once. Returns false if nobody reads any more. */
static bool write_records(bool is_answer)
{
    static unsigned long long written_ns;
    if (!is_answer && now_ns() - written_ns < WRITE_PERIOD_MS * 1000000ULL)
        return true;
    written_ns = now_ns();
    return fflush(stdout) == 0;
}

static void work(struct ring_buffer *ring)
{
    struct pollfd polled[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = ring_buffer__epoll_fd(ring), .events = POLLIN}};
    unsigned long long looked_ns = 0;
    for (;;) {
        if (poll(polled, 2, is_asked ? 0 : LOOK_PERIOD_MS) < 0 && errno != EINTR)
            fail("cannot wait: %s", strerror(errno));
        unsigned long long read_ns = now_ns();
        ring_buffer__consume(ring);
        bool is_answer = is_asked;
        if (is_asked || now_ns() - looked_ns >= LOOK_PERIOD_MS * 1000000ULL) {
            put_drops();
            put_arrivals();
            put_losses();
            put_failures();
            remove_gone();
            if (is_asked)
                put_open(programs->rodata->absence_ns, false);
            looked_ns = now_ns();
            put_alive(read_ns);
            is_asked = false;
        }
        bool is_told = polled[0].revents != 0;
        if ((is_told && !read_commands()) || !write_records(is_told || is_answer))
            return;
    }
}

static void prioritize(int priority)
{
    parser_prioritize(priority);
    if (setpriority(PRIO_PROCESS, 0, priority) != 0)
        fprintf(stderr, "naklab-kernel: cannot set the priority %d: %s\n", priority, strerror(errno));
}

static unsigned long long number(const char *text, unsigned long long max)
{
    char *end;
    unsigned long long value = text ? strtoull(text, &end, 10) : 0;
    if (!text || *end || end == text || value > max) {
        fprintf(stderr, "naklab-kernel: not a number up to %llu: %s\n", max, text ? text : "nothing");
        exit(EXIT_USAGE);
    }
    return value;
}

int main(int count, char **arguments)
{
    if (count == 3 && strcmp(arguments[1], "--resolve") == 0) {
        printf("{\"type\":\"resolved\",\"found\":%s}\n", resolves_own(arguments[2]) ? "true" : "false");
        return 0;
    }
    if (count == 2 && strcmp(arguments[1], "--libraries") == 0) {
        put_libraries();
        return 0;
    }
    unsigned long long absence_us = 5000, fault_us = 1000, stack_pages = 2, port = 0, interrupt_us = 0, sample_us = 0, sample_user = 1, delivered = 0, followed = 0;
    int i = 1;
    for (; i < count && arguments[i][0] == '-'; i += 2) {
        if (strcmp(arguments[i], "--absence-us") == 0)
            absence_us = number(arguments[i + 1], 1000000000);
        else if (strcmp(arguments[i], "--fault-us") == 0)
            fault_us = number(arguments[i + 1], 1000000000);
        else if (strcmp(arguments[i], "--stack-pages") == 0)
            stack_pages = number(arguments[i + 1], STACK_PAGES);
        else if (strcmp(arguments[i], "--port") == 0)
            port = number(arguments[i + 1], 65535);
        else if (strcmp(arguments[i], "--interrupt-us") == 0)
            interrupt_us = number(arguments[i + 1], 1000000000);
        else if (strcmp(arguments[i], "--defer") == 0)
            defer_stacks(number(arguments[i + 1], 1));
        else if (strcmp(arguments[i], "--sample-user") == 0)
            sample_user = number(arguments[i + 1], 1);
        else if (strcmp(arguments[i], "--deliveries") == 0)
            delivered = number(arguments[i + 1], 1);
        else if (strcmp(arguments[i], "--follow") == 0)
            followed = number(arguments[i + 1], 1);
        else if (strcmp(arguments[i], "--sample-us") == 0)
            sample_us = number(arguments[i + 1], 1000000);
        else if (strcmp(arguments[i], "--thread") == 0 && arguments[i + 1] && add_name(arguments[i + 1]))
            continue;
        else
            number(arguments[i], 0);
    }
    setsid(); /* A terminal's Ctrl-C is for the lab, which tells when to stop. It fails in a shell's job, which is a group of its own. */
    set_user_stacks(stack_pages > 0);
    if (stack_pages > 0)
        parser_start();
    set_samples(sample_us * 1000);
    signal(SIGPIPE, SIG_IGN);
    static char output[1 << 16];
    setvbuf(stdout, output, _IOFBF, sizeof output);
    load_programs(&(struct limits){.absence_ns = absence_us * 1000,
        .fault_ns = fault_us * 1000,
        .spell_ns = 2 * absence_us * 1000,
        .now_ns = now_ns(),
        .gap_ns = GAP_NS,
        .interrupt_ns = interrupt_us * 1000,
        .stack_pages = (unsigned int) stack_pages,
        .port = htons((unsigned short) port),
        .named = has_names(),
        .kernel_samples = sample_user == 0,
        .sampled = sample_us > 0,
        .delivered = (unsigned int) delivered,
        .followed = (unsigned int) followed});
    read_symbols();
    read_reasons();
    struct ring_buffer *ring = ring_buffer__new(map_of(records), on_record, NULL, NULL);
    if (!ring)
        fail("cannot map the ring of records: %s", strerror(errno));
    put_names();
    attach_programs();
    confine_recorder();
    printf("{\"type\":\"ready\",\"timeNs\":%llu,\"faults\":%s}\n", now_ns(), are_faults_seen() ? "true" : "false");
    for (; i < count; i++)
        add_process((int) number(arguments[i], 1 << 22));
    fflush(stdout);
    /* Unwinding must not preempt the threads whose waits are recorded. The start and the end are as urgent as what waits for them. */
    int usual = getpriority(PRIO_PROCESS, 0);
    prioritize(LOWEST_PRIORITY);
    work(ring);
    prioritize(usual);
    ring_buffer__consume(ring);
    put_drops();
    put_arrivals();
    put_deliveries();
    put_receipts();
    put_losses();
    put_deferred();
    put_open(absence_us * 1000, true);
    put_failures();
    printf("{\"type\":\"end\",\"timeNs\":%llu}\n", now_ns());
    bool is_written = fflush(stdout) == 0;
    parser_stop();
    return is_written ? 0 : 1;
}
