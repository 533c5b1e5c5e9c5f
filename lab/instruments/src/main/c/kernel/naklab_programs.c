#define _GNU_SOURCE
#include "naklab_programs.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "naklab_json.h"

enum { NAME = 64 };

struct naklab_kernel_bpf *programs;
static bool faults_seen;
static char last_warning[512];

bool are_faults_seen(void)
{
    return faults_seen;
}

static int on_message(enum libbpf_print_level level, const char *format, va_list arguments)
{
    if (level == LIBBPF_WARN) {
        char message[sizeof last_warning];
        vsnprintf(message, sizeof message, format, arguments);
        message[strcspn(message, "\n")] = '\0';
        if (!last_warning[0])
            memcpy(last_warning, message, sizeof last_warning);
    }
    return 0;
}

static void set_constants(const struct limits *limits)
{
    struct naklab_kernel_bpf__rodata *constants = programs->rodata;
    constants->absence_ns = limits->absence_ns;
    constants->fault_ns = limits->fault_ns;
    constants->spell_ns = limits->spell_ns;
    constants->since_ns = limits->now_ns;
    constants->gap_ns = limits->gap_ns;
    constants->interrupt_ns = limits->interrupt_ns;
    constants->stack_pages = limits->stack_pages;
    constants->named = limits->named;
    constants->kernel_samples = limits->kernel_samples;
}

/* Whether the tracepoint of dropped datagrams tells their socket, as its fourth argument after the context. */
static bool tells_socket(const struct btf *btf)
{
    int id = btf__find_by_name_kind(btf, "btf_trace_kfree_skb", BTF_KIND_TYPEDEF);
    const struct btf_type *type = id < 0 ? NULL : btf__type_by_id(btf, btf__type_by_id(btf, (unsigned int) id)->type);
    const struct btf_type *function = type ? btf__type_by_id(btf, type->type) : NULL;
    return function && btf_is_func_proto(function) && btf_vlen(function) > 4;
}

static void leave_out(struct bpf_program *program)
{
    bpf_program__set_autoload(program, false);
}

/* They are called thousands of times a second on every processor. */
static void leave_out_interrupts(void)
{
    struct bpf_program *program;
    bpf_object__for_each_program(program, programs->obj) {
        if (strncmp(bpf_program__name(program), "interrupt_", strlen("interrupt_")) == 0)
            leave_out(program);
    }
}

void load_programs(const struct limits *limits)
{
    libbpf_set_print(on_message);
    if (geteuid() != 0)
        fail("not root: BPF programs need CAP_BPF and CAP_PERFMON; run as root");
    if (access("/sys/kernel/btf/vmlinux", R_OK) != 0)
        fail("the kernel has no type information (/sys/kernel/btf/vmlinux): CONFIG_DEBUG_INFO_BTF is off");
    struct rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_MEMLOCK, &unlimited); /* Needed before Linux 5.11 alone; if refused, loading says why. */
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) { /* two for each thread */
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    programs = naklab_kernel_bpf__open();
    if (!programs)
        fail("cannot read the recorder's own programs: %s", last_warning);
    set_constants(limits);
    programs->bss->watched_port = limits->port;
    struct btf *btf = btf__load_vmlinux_btf();
    struct bpf_program *program;
    faults_seen = true;
    bpf_object__for_each_program(program, programs->obj) {
        char type[NAME];
        const char *section = bpf_program__section_name(program);
        const char *slash = strchr(section, '/');
        snprintf(type, sizeof type, "btf_trace_%s", slash ? slash + 1 : "");
        if (slash && btf__find_by_name_kind(btf, type, BTF_KIND_TYPEDEF) < 0) {
            leave_out(program);
            faults_seen = faults_seen && !strstr(section, "page_fault_user");
        }
    }
    leave_out(tells_socket(btf) ? programs->progs.on_drop : programs->progs.on_drop_of_socket);
    if (limits->port == 0 && !limits->followed)
        leave_out(programs->progs.on_receive);
    if ((limits->port == 0 && !limits->followed) || !limits->delivered)
        leave_out(programs->progs.on_delivery);
    if (!limits->sampled)
        leave_out(programs->progs.on_sample);
    if (limits->named)
        leave_out(programs->progs.on_receipt);
    if (limits->interrupt_ns == 0)
        leave_out_interrupts();
    btf__free(btf);
    errno = 0;
    if (naklab_kernel_bpf__load(programs) != 0) {
        int error = errno;
        fail("the kernel refuses the BPF programs: %s%s (%s)", strerror(error),
            error == EPERM ? "; CAP_BPF is missing, or locked memory is limited (ulimit -l), or the kernel is locked down" : "", last_warning);
    }
}

/* The kernel times the programs as long as the descriptor is open. It takes two readings of the clock for each run, so it is not the rule. */
static void time_programs(void)
{
    if (getenv("NAKLAB_TIME_PROGRAMS") && bpf_enable_stats(BPF_STATS_RUN_TIME) < 0)
        fail("the kernel does not time BPF programs: %s", strerror(errno));
}

void attach_programs(void)
{
    time_programs();
    struct bpf_program *program;
    bpf_object__for_each_program(program, programs->obj) {
        if (!bpf_program__autoload(program) || strchr(bpf_program__section_name(program), '/') == NULL)
            continue;
        if (!bpf_program__attach(program))
            fail("cannot attach to %s: %s", bpf_program__section_name(program), strerror(errno));
    }
}
