#define _GNU_SOURCE
#include "naklab_confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define LOAD(field) (struct sock_filter) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define SKIP_UNLESS(value, skipped) (struct sock_filter) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped)
#define ALLOW (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP)
#define FAIL (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

enum { MOST_INSTRUCTIONS = 256, WRITES = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, FIRST_OF_X32 = 0x40000000 };

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#define RESULT(context) ((context)->uc_mcontext.gregs[REG_RAX])
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#define RESULT(context) ((context)->uc_mcontext.regs[0])
#endif

static struct sock_filter filter[MOST_INSTRUCTIONS];
static unsigned short length;

static void add(struct sock_filter instruction)
{
    filter[length++] = instruction;
}

static void allow(int call)
{
    add(SKIP_UNLESS(call, 1));
    add(ALLOW);
}

/* Lets a call fail that loses nothing: it is not counted as refused. */
static void let_fail(int call)
{
    add(SKIP_UNLESS(call, 1));
    add(FAIL);
}

static void load_argument(int number)
{
    add(LOAD(args));
    filter[length - 1].k += 8 * (unsigned int) number; /* The lower half: the kernel looks at no more of these arguments. */
}

/* Allows a call if an argument has none of these bits. */
static void allow_without(int call, int argument, unsigned int bits)
{
    add(SKIP_UNLESS(call, 4));
    load_argument(argument);
    add((struct sock_filter) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0));
    add(ALLOW);
    add(REFUSE);
}

/* Allows a call if an argument has one of the values. */
static void allow_with(int call, int argument, const int *values, size_t count)
{
    add(SKIP_UNLESS(call, (unsigned char) (2 + 2 * count)));
    load_argument(argument);
    for (size_t i = 0; i < count; i++)
        allow(values[i]);
    add(REFUSE);
}

/* What both do with memory, with what is open, and with themselves. Memory does not become code. */
static void begin_filter(void)
{
    static const int calls[] = {SYS_read, SYS_pread64, SYS_write, SYS_lseek, SYS_close, SYS_fcntl, SYS_fstat, SYS_newfstatat, SYS_sendmsg, SYS_recvmsg, SYS_recvfrom, SYS_brk,
        SYS_munmap, SYS_mremap, SYS_madvise, SYS_futex, SYS_sysinfo, SYS_getrandom, SYS_clock_gettime, SYS_rt_sigreturn, SYS_restart_syscall, SYS_exit_group};
    length = 0;
    add(LOAD(arch));
    add(SKIP_UNLESS(ARCHITECTURE, 2));
    add(LOAD(nr));
    add((struct sock_filter) BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FIRST_OF_X32, 0, 1));
    add(REFUSE);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        allow(calls[i]);
    allow_without(SYS_mmap, 2, PROT_EXEC);
    allow_without(SYS_mprotect, 2, PROT_EXEC);
    /* libdw asks for the path of an open file that has debug information, to look for more beside it. */
#ifdef SYS_readlink
    let_fail(SYS_readlink);
#endif
    let_fail(SYS_readlinkat);
}

static volatile sig_atomic_t refused, last_refused;

/* The kernel sends SIGSYS in place of the call, which then has no result of its own. */
static void on_refusal(int number, siginfo_t *info, void *context)
{
    (void) number;
    refused++;
    last_refused = info->si_syscall;
    RESULT((ucontext_t *) context) = -EPERM;
}

int take_refusals(void)
{
    int count = (int) refused;
    if (count > 0)
        fprintf(stderr, "naklab-kernel: refused system calls: %d, the last one is number %d\n", count, (int) last_refused);
    refused = 0;
    return count;
}

/* What the recorder needs, and what it keeps where it has not that: older kernels and engines know no finer one. */
struct right {
    int capability, or_else;
};

static int keep_capabilities(const struct right *kept, size_t count)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2];
    unsigned long long wanted = 0;
    if (syscall(SYS_capget, &header, data) != 0)
        return -1;
    unsigned long long permitted = data[0].permitted | (unsigned long long) data[1].permitted << 32;
    for (size_t i = 0; i < count; i++)
        wanted |= 1ULL << (permitted >> kept[i].capability & 1 ? kept[i].capability : kept[i].or_else);
    for (int i = 0; i < 2; i++) {
        data[i].permitted &= (__u32) (wanted >> 32 * i);
        data[i].effective = data[i].permitted;
        data[i].inheritable = 0;
    }
    return (int) syscall(SYS_capset, &header, data);
}

static void confine(const struct right *kept, size_t count)
{
    add(REFUSE);
    struct sigaction action = {.sa_sigaction = on_refusal, .sa_flags = SA_SIGINFO};
    struct sock_fprog program = {.len = length, .filter = filter};
    sigaction(SIGSYS, &action, NULL);
    if (keep_capabilities(kept, count) != 0)
        fprintf(stderr, "naklab-kernel: keeps all its capabilities: %s\n", strerror(errno));
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        fprintf(stderr, "naklab-kernel: keeps all system calls: %s\n", strerror(errno));
}

void confine_recorder(void)
{
    static const struct right kept[] = {
        {CAP_DAC_READ_SEARCH, CAP_DAC_OVERRIDE}, {CAP_SYS_PTRACE, CAP_SYS_PTRACE}, {CAP_SYS_NICE, CAP_SYS_NICE}, {CAP_PERFMON, CAP_SYS_ADMIN}, {CAP_BPF, CAP_SYS_ADMIN}};
    static const int of_maps[] = {BPF_MAP_LOOKUP_ELEM, BPF_MAP_UPDATE_ELEM, BPF_MAP_DELETE_ELEM, BPF_MAP_GET_NEXT_KEY, BPF_MAP_LOOKUP_AND_DELETE_ELEM};
    static const int of_counters[] = {PERF_EVENT_IOC_SET_BPF};
    static const int is_there[] = {0};
    begin_filter();
#ifdef SYS_poll
    allow(SYS_poll);
#endif
    allow(SYS_ppoll);
    allow(SYS_wait4);
    allow(SYS_getdents64);
    allow(SYS_getpriority);
    allow(SYS_setpriority);
    allow(SYS_perf_event_open);
    allow_without(SYS_openat, 2, WRITES);
    allow_with(SYS_ioctl, 1, of_counters, 1);
    allow_with(SYS_kill, 1, is_there, 1);
    allow_with(SYS_bpf, 0, of_maps, sizeof of_maps / sizeof *of_maps);
    confine(kept, sizeof kept / sizeof *kept);
}

void confine_parser(void)
{
    begin_filter();
    confine(NULL, 0);
}
