#define _GNU_SOURCE
#include "naklab_parser.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include "naklab_confine.h"
#include "naklab_foreign.h"
#include "naklab_json.h"

/* The first stack of a large library takes seconds on a busy machine. */
enum { PATIENCE_S = 60, FAREWELL_MS = 500, MOST_PROCESSES = 256, STACK_AT = offsetof(struct absence, stack) };

enum request_kind { UNWIND, FORGET };

/* Of the recorder. Only as much of the absence is sent as was copied of its stack. */
struct request {
    enum request_kind kind;
    int pid;
    struct absence absence;
};

enum answer_kind { NO_STACK, STACK, OPEN };

/* Of the parser: the answer to a request, or what it asks for before. A file comes with a byte, of none there is only the byte. */
struct answer {
    enum answer_kind kind;
    int refused;
    union {
        struct stack stack;
        struct {
            enum foreign what;
            int pid;
            char name[MOST_NAME];
        } file;
    };
};

static struct request request;
static struct answer answer;
static int peer = -1;
static pid_t parser;
static int refusals;
static bool has_ended;

static bool send_all(const void *data, size_t size)
{
    ssize_t sent;
    struct iovec part = {(void *) data, size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    while ((sent = sendmsg(peer, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR)
        continue;
    return sent == (ssize_t) size;
}

/* Returns the size, or 0 if the other one has ended or does not answer. */
static size_t receive(void *data, size_t size)
{
    ssize_t received;
    struct iovec part = {data, size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    while ((received = recvmsg(peer, &message, 0)) < 0 && errno == EINTR)
        continue;
    return received < 0 ? 0 : (size_t) received;
}

union file_message {
    char buffer[CMSG_SPACE(sizeof(int))];
    struct cmsghdr header;
};

static bool send_file(int fd)
{
    char byte = fd >= 0;
    union file_message control = {{0}};
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (fd >= 0) {
        message.msg_control = &control;
        message.msg_controllen = sizeof control.buffer;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        *header = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof fd), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(header), &fd, sizeof fd);
    }
    return sendmsg(peer, &message, MSG_NOSIGNAL) == 1;
}

static int receive_file(void)
{
    char byte;
    int fd = -1;
    union file_message control;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.buffer};
    if (recvmsg(peer, &message, MSG_CMSG_CLOEXEC) != 1)
        exit(1);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_type == SCM_RIGHTS)
        memcpy(&fd, CMSG_DATA(header), sizeof fd);
    return fd;
}

static int ask_for_file(enum foreign what, int pid, const char *name)
{
    static struct answer question;
    question.kind = OPEN;
    question.file.what = what;
    question.file.pid = pid;
    size_t length = strnlen(name, MOST_NAME);
    if (length == MOST_NAME)
        return -1;
    memcpy(question.file.name, name, length + 1);
    if (!send_all(&question, offsetof(struct answer, file.name) + length + 1))
        exit(1);
    return receive_file();
}

static struct process {
    int pid;
    struct unwinder *unwinder;
} processes[MOST_PROCESSES];

static struct process *process_of(int pid)
{
    for (int i = 0; i < MOST_PROCESSES; i++)
        if (processes[i].pid == pid)
            return &processes[i];
    return NULL;
}

static void forget(int pid)
{
    struct process *process = process_of(pid);
    if (process) {
        unwinder_close(process->unwinder);
        *process = (struct process){0};
    }
}

static const struct stack *unwind(int pid, const struct absence *absence)
{
    struct process *process = process_of(pid);
    if (!process && (process = process_of(0))) {
        process->unwinder = unwinder_open(pid);
        process->pid = process->unwinder ? pid : 0;
    }
    return process && process->unwinder ? unwinder_unwind(process->unwinder, absence) : NULL;
}

static size_t size_of(const struct stack *stack)
{
    return offsetof(struct stack, frames) + stack->count * sizeof *stack->frames;
}

static void answer_request(void)
{
    const struct stack *stack = unwind(request.pid, &request.absence);
    answer.kind = stack ? STACK : NO_STACK;
    answer.refused = take_refusals();
    if (stack)
        memcpy(&answer.stack, stack, size_of(stack));
    if (!send_all(&answer, offsetof(struct answer, stack) + (stack ? size_of(stack) : 0)))
        exit(1);
}

static void __attribute__((noreturn)) parse(void)
{
    while (receive(&request, sizeof request) > 0) {
        if (request.kind == FORGET)
            forget(request.pid);
        else
            answer_request();
    }
    exit(0);
}

void parser_start(void)
{
    int ends[2];
    pid_t recorder = getpid();
    signal(SIGCHLD, SIG_IGN); /* Nobody waits for its end. */
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0 || (parser = fork()) < 0)
        fail("cannot start the parser: %s", strerror(errno));
    peer = ends[parser == 0];
    close(ends[parser != 0]);
    if (parser != 0) {
        setsockopt(peer, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){.tv_sec = PATIENCE_S}, sizeof(struct timeval));
        return;
    }
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(nothing, STDOUT_FILENO) < 0)
        exit(1);
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != recorder)
        exit(1);
    unwinders_open_by(ask_for_file);
    confine_parser();
    parse();
}

/* Waits for its end, so that it does not outlive this process; the kernel ends one that does not answer. */
void parser_stop(void)
{
    if (parser <= 0)
        return;
    if (peer >= 0)
        close(peer);
    for (int waited_ms = 0; waited_ms < FAREWELL_MS && waitpid(parser, NULL, WNOHANG) == 0; waited_ms++)
        poll(NULL, 0, 1);
}

static const struct stack *end_parser(void)
{
    fprintf(
        stderr, "naklab-kernel: the process that reads the files of recorded processes %s; there are no user stacks any more\n", errno == EAGAIN ? "does not answer" : "has ended");
    close(peer);
    peer = -1;
    has_ended = true;
    return NULL;
}

/* What the parser says is as little to be trusted as what it reads. */
static bool is_valid(size_t size)
{
    if (size < offsetof(struct answer, stack))
        return false;
    if (answer.kind == OPEN)
        return size > offsetof(struct answer, file.name) && memchr(answer.file.name, '\0', size - offsetof(struct answer, file.name));
    if (answer.kind != STACK)
        return true;
    if (size < offsetof(struct answer, stack.frames) || answer.stack.count > USER_FRAMES || size - offsetof(struct answer, stack) != size_of(&answer.stack))
        return false;
    for (size_t i = 0; i < answer.stack.count; i++) {
        struct frame *frame = &answer.stack.frames[i];
        frame->symbol[sizeof frame->symbol - 1] = frame->module[sizeof frame->module - 1] = '\0';
    }
    return true;
}

const struct stack *parser_unwind(int pid, const struct absence *absence)
{
    if (peer < 0)
        return NULL;
    request.kind = UNWIND;
    request.pid = pid;
    memcpy(&request.absence, absence, STACK_AT + absence->stack_bytes);
    errno = 0;
    if (!send_all(&request, offsetof(struct request, absence) + STACK_AT + absence->stack_bytes))
        return end_parser();
    for (;;) {
        size_t size = receive(&answer, sizeof answer);
        if (size == 0 || !is_valid(size))
            return end_parser();
        if (answer.kind != OPEN)
            break;
        /* Only the files of the process that the request is about, and those of symbols. */
        int fd = answer.file.pid == pid ? open_foreign(answer.file.what, pid, answer.file.name) : -1;
        bool sent = send_file(fd);
        if (fd >= 0)
            close(fd);
        if (!sent)
            return end_parser();
    }
    refusals += answer.refused;
    return answer.kind == STACK ? &answer.stack : NULL;
}

void parser_forget(int pid)
{
    struct request end = {.kind = FORGET, .pid = pid};
    if (peer >= 0 && !send_all(&end, offsetof(struct request, absence)))
        end_parser();
}

void parser_prioritize(int priority)
{
    if (parser > 0 && setpriority(PRIO_PROCESS, (id_t) parser, priority) != 0)
        fprintf(stderr, "naklab-kernel: cannot set the parser's priority %d: %s\n", priority, strerror(errno));
}

int parser_take_refusals(void)
{
    int taken = refusals;
    refusals = 0;
    return taken;
}

bool parser_take_end(void)
{
    bool taken = has_ended;
    has_ended = false;
    return taken;
}
