/*
 * The kernel recorder: loads the BPF programs and writes what they report to standard output, one JSON object a line. Commands come on
 * standard input: "add PID", "remove PID", "stop". When standard input ends, it ends; the programs end with it, as nothing is pinned.
 *
 *   naklab-kernel [--absence-us N] [--fault-us N] [--stack-pages N] [PID ...]
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "naklab_kernel.h"
#include "naklab_unwind.h"

enum { MAX_PROCESSES = 256, MAX_COUNTERS = 8192, DROP_PERIOD_MS = 50, LINE = 64, EXIT_UNAVAILABLE = 69, EXIT_USAGE = 64 };

extern const unsigned char naklab_bpf_begin[], naklab_bpf_end[];
__asm__(".section .rodata\n.balign 16\n.global naklab_bpf_begin\nnaklab_bpf_begin:\n.incbin \"" NAKLAB_BPF_OBJECT
        "\"\n.global naklab_bpf_end\nnaklab_bpf_end:\n.byte 0\n.previous\n");

struct symbol {
    unsigned long long address;
    char *name;
};

struct process {
    int pid;
    struct unwinder *unwinder;
};

static struct bpf_object *object;
static struct symbol *symbols;
static size_t symbol_count;
static struct process processes[MAX_PROCESSES];
static struct counter {
    int pid;
    int fd;
} counters[MAX_COUNTERS];
static int counter_count;
enum { LOWEST_PRIORITY = 19 };
/* Without user stacks, no file of a process is read. */
static bool user_stacks;
/* The threads that are recorded; without any, all are. */
static const char *names[MAX_NAMES];
static int name_count;
static const char *reasons[1024];
static unsigned long long lost_told[LOST_COUNTERS];
static bool faults_seen;
static char last_warning[512];

static unsigned long long now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (unsigned long long) now.tv_sec * 1000000000ULL + (unsigned long long) now.tv_nsec;
}

/* ---- JSON ---- */

/* Bytes that are not ASCII are written as Latin 1: names of threads need not be UTF-8. */
static void put_string(const char *text)
{
    putchar('"');
    for (const unsigned char *c = (const unsigned char *) text; *c; c++) {
        if (*c == '"' || *c == '\\')
            printf("\\%c", *c);
        else if (*c < 0x20 || *c >= 0x7f)
            printf("\\u%04x", *c);
        else
            putchar(*c);
    }
    putchar('"');
}

static void put_named(const char *name, const char *text)
{
    printf(",\"%s\":", name);
    put_string(text);
}

static void put_task(const char *name, const struct task *task)
{
    printf(",\"%s\":{\"pid\":%u,\"tid\":%u", name, task->pid, task->tid);
    put_named("comm", task->comm);
    putchar('}');
}

__attribute__((noreturn, format(printf, 1, 2))) static void fail(const char *format, ...)
{
    char reason[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    printf("{\"type\":\"unavailable\"");
    put_named("reason", reason);
    puts("}");
    fflush(stdout);
    exit(EXIT_UNAVAILABLE);
}

/* ---- Kernel symbols ---- */

static int by_address(const void *left, const void *right)
{
    unsigned long long a = ((const struct symbol *) left)->address, b = ((const struct symbol *) right)->address;
    return a < b ? -1 : a > b;
}

static void read_symbols(void)
{
    FILE *file = fopen("/proc/kallsyms", "re");
    if (!file)
        return;
    size_t capacity = 0;
    char *line = NULL;
    size_t length = 0;
    while (getline(&line, &length, file) > 0) {
        unsigned long long address;
        char kind, name[256];
        if (sscanf(line, "%llx %c %255s", &address, &kind, name) != 3 || (kind != 't' && kind != 'T' && kind != 'W' && kind != 'w') || address == 0)
            continue;
        if (symbol_count == capacity) {
            capacity = capacity ? capacity * 2 : 1 << 16;
            struct symbol *grown = realloc(symbols, capacity * sizeof *grown);
            if (!grown)
                break;
            symbols = grown;
        }
        symbols[symbol_count].address = address;
        symbols[symbol_count].name = strdup(name);
        symbol_count += symbols[symbol_count].name != NULL;
    }
    free(line);
    fclose(file);
    qsort(symbols, symbol_count, sizeof *symbols, by_address);
}

static const char *kernel_symbol(unsigned long long address)
{
    size_t low = 0, high = symbol_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (symbols[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? NULL : symbols[low - 1].name;
}

/* The recorder's own program is on top of a stack that it takes of itself. */
static bool is_own(const char *symbol)
{
    return symbol && (strncmp(symbol, "bpf_prog_", 9) == 0 || strncmp(symbol, "bpf_trace_run", 13) == 0);
}

static void put_kernel_stack(const char *name, const unsigned long long *frames, int bytes)
{
    printf(",\"%s\":[", name);
    const char *separator = "";
    for (int i = 0; i < bytes / (int) sizeof *frames && frames[i]; i++) {
        const char *symbol = kernel_symbol(frames[i] - 1);
        char number[32];
        if (is_own(symbol))
            continue;
        snprintf(number, sizeof number, "0x%llx", frames[i]);
        fputs(separator, stdout);
        put_string(symbol ? symbol : number);
        separator = ",";
    }
    putchar(']');
}

static bool is_in_stack(const char *part, const unsigned long long *frames, int bytes)
{
    for (int i = 0; i < bytes / (int) sizeof *frames && frames[i]; i++) {
        const char *symbol = kernel_symbol(frames[i] - 1);
        if (symbol && strstr(symbol, part))
            return true;
    }
    return false;
}

/* ---- Processes ---- */

static int map_of(const char *name)
{
    return bpf_object__find_map_fd_by_name(object, name);
}

static int program_of(const char *name)
{
    return bpf_program__fd(bpf_object__find_program_by_name(object, name));
}

static struct process *process_of(int pid)
{
    for (int i = 0; i < MAX_PROCESSES; i++)
        if (processes[i].pid == pid)
            return &processes[i];
    return NULL;
}

static void put_user_stack(const struct absence *absence)
{
    struct process *process = process_of((int) absence->task.pid);
    if (!user_stacks || !process || absence->regs[AT_SP] == 0)
        return;
    if (!process->unwinder)
        process->unwinder = unwinder_open(process->pid);
    const struct stack *stack = process->unwinder ? unwinder_unwind(process->unwinder, absence) : NULL;
    if (!stack)
        return;
    printf(",\"userStack\":[");
    for (size_t i = 0; i < stack->count; i++) {
        const struct frame *frame = &stack->frames[i];
        printf("%s{\"address\":%lld,\"offset\":%llu", i ? "," : "", (long long) frame->address, frame->offset);
        put_named("symbol", frame->symbol);
        put_named("module", frame->module);
        putchar('}');
    }
    printf("],\"userStackCut\":%s", stack->truncated ? "true" : "false");
}

/* Counts faults of one thread and of those that it starts; nothing is counted, and nothing is slower, elsewhere. */
static bool count_faults(int pid, int tid, unsigned long long which, const char *program)
{
    if (counter_count == MAX_COUNTERS)
        return false;
    struct perf_event_attr attributes = {
        .type = PERF_TYPE_SOFTWARE, .size = sizeof attributes, .config = which, .sample_period = 1, .inherit = 1};
    int fd = (int) syscall(SYS_perf_event_open, &attributes, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (fd < 0)
        return errno == ESRCH;
    if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, program_of(program)) != 0) {
        close(fd);
        return false;
    }
    counters[counter_count++] = (struct counter) {pid, fd};
    return true;
}

static char state_of(int pid, int tid)
{
    char path[LINE], text[256];
    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", pid, tid);
    FILE *file = fopen(path, "re");
    if (!file)
        return 'R';
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    char *end = strrchr(text, ')');
    return end && end[1] ? end[2] : 'R';
}

static bool is_named(const char *comm)
{
    for (int i = 0; i < name_count; i++)
        if (strncmp(names[i], comm, COMM_LENGTH - 1) == 0)
            return true;
    return name_count == 0;
}

/* A thread that is away already: its absence is as long as it has been seen, and says so. */
static void seed(int pid, int tid)
{
    static const char letters[] = "SDTt";
    static const unsigned int bits[] = {1, 2, 4, 8};
    static struct absence absence;
    const char *letter = strchr(letters, state_of(pid, tid));
    if (!letter || !*letter)
        return;
    char path[LINE];
    memset(&absence, 0, sizeof absence);
    absence.type = RECORD_ABSENCE;
    absence.flags = ABSENCE_BEGAN_BEFORE;
    absence.begin_ns = now_ns();
    absence.state = bits[letter - letters];
    absence.task.pid = (unsigned int) pid;
    absence.task.tid = (unsigned int) tid;
    snprintf(path, sizeof path, "/proc/%d/task/%d/comm", pid, tid);
    FILE *file = fopen(path, "re");
    if (file) {
        if (fgets(absence.task.comm, sizeof absence.task.comm, file))
            absence.task.comm[strcspn(absence.task.comm, "\n")] = '\0';
        fclose(file);
    }
    if (is_named(absence.task.comm))
        bpf_map_update_elem(map_of("threads"), &absence.task.tid, &absence, BPF_NOEXIST);
}

static void add(int pid)
{
    char path[LINE];
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *tasks = opendir(path);
    struct process *process = process_of(pid) ? NULL : process_of(0);
    if (!tasks || !process) {
        printf("{\"type\":\"added\",\"pid\":%d,\"threads\":0,\"faults\":false}\n", pid);
        if (tasks)
            closedir(tasks);
        return;
    }
    process->pid = pid;
    unsigned int key = (unsigned int) pid;
    unsigned char one = 1;
    bpf_map_update_elem(map_of("targets"), &key, &one, BPF_ANY);
    int threads = 0;
    bool counted = true;
    for (struct dirent *entry; (entry = readdir(tasks));) {
        int tid = atoi(entry->d_name);
        if (tid <= 0)
            continue;
        threads++;
        counted = count_faults(pid, tid, PERF_COUNT_SW_PAGE_FAULTS_MAJ, "on_major_fault")
                && count_faults(pid, tid, PERF_COUNT_SW_PAGE_FAULTS_MIN, "on_minor_fault") && counted;
        seed(pid, tid);
    }
    closedir(tasks);
    printf("{\"type\":\"added\",\"pid\":%d,\"threads\":%d,\"faults\":%s}\n", pid, threads, counted && faults_seen ? "true" : "false");
    if (!counted)
        printf("{\"type\":\"lost\",\"what\":\"faults\",\"count\":1,\"timeNs\":%llu}\n", now_ns());
}

static void forget_files(int pid)
{
    struct process *process = process_of(pid);
    if (process && process->unwinder) {
        unwinder_close(process->unwinder);
        process->unwinder = NULL;
    }
}

static void forget_threads(int pid)
{
    static struct absence absence;
    unsigned int tid, previous, gone[64];
    int map = map_of("threads"), faults = map_of("faults"), count;
    do {
        count = 0;
        for (int first = 1; count < 64 && bpf_map_get_next_key(map, first ? NULL : &previous, &tid) == 0; previous = tid, first = 0)
            if (bpf_map_lookup_elem(map, &tid, &absence) == 0 && absence.task.pid == (unsigned int) pid)
                gone[count++] = tid;
        for (int i = 0; i < count; i++) {
            bpf_map_delete_elem(map, &gone[i]);
            bpf_map_delete_elem(faults, &gone[i]);
        }
    } while (count == 64);
}

static void close_counters(int pid)
{
    int kept = 0;
    for (int i = 0; i < counter_count; i++) {
        if (counters[i].pid == pid)
            close(counters[i].fd);
        else
            counters[kept++] = counters[i];
    }
    counter_count = kept;
}

static void remove_process(int pid)
{
    struct process *process = process_of(pid);
    unsigned int key = (unsigned int) pid;
    bpf_map_delete_elem(map_of("targets"), &key);
    close_counters(pid);
    forget_threads(pid);
    if (process) {
        forget_files(pid);
        process->pid = 0;
    }
}

/* Another process may get the id of one that is gone. */
static void remove_gone(void)
{
    for (int i = 0; i < MAX_PROCESSES; i++)
        if (processes[i].pid && kill(processes[i].pid, 0) != 0 && errno == ESRCH)
            remove_process(processes[i].pid);
}

/* ---- Records ---- */

/* Bits of task_struct.__state. */
enum { SLEEPING = 1, BLOCKED = 2, STOPPED = 4, TRACED = 8, IDLE = 0x400, LOCK_WAIT = 0x1000, FROZEN = 0x8000 };

/*
 * The freezer of cgroup version 1 freezes a thread that sleeps in its sleep. That of version 2 makes it sleep on its way to user mode, in a function
 * that may be compiled into get_signal.
 */
static const char *state_name(const struct absence *absence)
{
    unsigned int state = absence->state;
    if ((state | absence->wake_state) & FROZEN || (absence->flags & ABSENCE_FREEZE_ASKED && is_in_stack("get_signal", absence->kernel, absence->kernel_bytes))
            || is_in_stack("__refrigerator", absence->kernel, absence->kernel_bytes))
        return "frozen";
    if (state & SLEEPING)
        return "sleeping";
    if (state & (BLOCKED | LOCK_WAIT))
        return state & IDLE ? "idle" : "blocked";
    if (state & STOPPED)
        return "stopped";
    if (state & TRACED)
        return "traced";
    if (state)
        return "other";
    /* On its way back to user mode, a thread leaves by itself when it is told to; the kernel does not call that preemption. */
    return is_in_stack("sched_yield", absence->kernel, absence->kernel_bytes) ? "runnable" : "preempted";
}

static void put_fault(const struct task *task, const struct fault *fault, unsigned long long end_ns, bool major)
{
    printf("\"beginNs\":%llu,\"endNs\":%llu,\"address\":%lld,\"instruction\":%lld,\"major\":%s,\"inKernel\":%s", fault->begin_ns, end_ns,
           (long long) fault->address, (long long) fault->ip, major ? "true" : "false", fault->flags & FAULT_IN_KERNEL ? "true" : "false");
    put_task("task", task);
    putchar('}');
}

static void put_absence(const struct absence *absence)
{
    printf("{\"type\":\"absence\",\"beginNs\":%llu,\"endNs\":%llu,\"state\":\"%s\",\"beganBefore\":%s,\"beginCpu\":%d,\"endCpu\":%d",
           absence->begin_ns, absence->end_ns, state_name(absence), absence->flags & ABSENCE_BEGAN_BEFORE ? "true" : "false",
           absence->begin_cpu, absence->end_cpu);
    put_task("task", &absence->task);
    if (absence->wake_ns) {
        bool interrupt = is_in_stack("asm_sysvec_", absence->waker_kernel, absence->waker_bytes)
                || is_in_stack("asm_common_interrupt", absence->waker_kernel, absence->waker_bytes);
        printf(",\"waking\":{\"timeNs\":%llu,\"byInterrupt\":%s", absence->wake_ns, interrupt ? "true" : "false");
        put_task("waker", &absence->waker);
        put_kernel_stack("kernelStack", absence->waker_kernel, absence->waker_bytes);
        putchar('}');
    }
    if (!(absence->flags & ABSENCE_BEGAN_BEFORE))
        put_task("next", &absence->next);
    if (absence->end_ns)
        put_task("previous", &absence->prev);
    if (absence->fault.begin_ns && is_in_stack("exc_page_fault", absence->kernel, absence->kernel_bytes)) {
        printf(",\"fault\":{");
        put_fault(&absence->task, &absence->fault, absence->end_ns, false);
    }
    put_kernel_stack("kernelStack", absence->kernel, absence->kernel_bytes);
    put_user_stack(absence);
    puts("}");
}

static void put_fault_span(const struct fault_record *record)
{
    printf("{\"type\":\"fault\",");
    put_fault(&record->task, &record->fault, record->end_ns, record->fault.flags & FAULT_MAJOR);
    putchar('\n');
}

static void put_life(const struct life_record *record)
{
    static const char *events[] = {"", "fork", "exec", "exit"};
    printf("{\"type\":\"life\",\"event\":\"%s\",\"timeNs\":%llu", events[record->event], record->time_ns);
    put_task("task", &record->task);
    if (record->event == LIFE_FORK)
        put_task("parent", &record->parent);
    puts("}");
    if (record->event == LIFE_EXEC)
        forget_files((int) record->task.pid);
}

static int on_record(void *context, void *data, size_t size)
{
    (void) context, (void) size;
    switch (*(unsigned int *) data) {
    case RECORD_ABSENCE:
        put_absence(data);
        break;
    case RECORD_FAULT:
        put_fault_span(data);
        break;
    case RECORD_LIFE:
        put_life(data);
        break;
    }
    return 0;
}

/* ---- Datagrams ---- */

static void read_reasons(void)
{
    struct btf *btf = btf__load_vmlinux_btf();
    int id = btf ? btf__find_by_name_kind(btf, "skb_drop_reason", BTF_KIND_ENUM) : -1;
    if (id > 0) {
        const struct btf_type *type = btf__type_by_id(btf, (unsigned int) id);
        const struct btf_enum *values = btf_enum(type);
        for (int i = 0; i < btf_vlen(type); i++) {
            const char *name = btf__name_by_offset(btf, values[i].name_off);
            static const char prefix[] = "SKB_DROP_REASON_";
            if (values[i].val >= 0 && values[i].val < (int) (sizeof reasons / sizeof *reasons))
                reasons[values[i].val] = strdup(strncmp(name, prefix, sizeof prefix - 1) == 0 ? name + sizeof prefix - 1 : name);
        }
    }
    btf__free(btf);
}

static void put_drops(void)
{
    int map = map_of("drops");
    struct drop_key key, *previous = NULL, taken[256];
    int count = 0;
    while (count < 256 && bpf_map_get_next_key(map, previous, &key) == 0) {
        taken[count] = key;
        previous = &taken[count++];
    }
    for (int i = 0; i < count; i++) {
        struct drop_count drops;
        if (bpf_map_lookup_and_delete_elem(map, &taken[i], &drops) != 0)
            continue;
        char source[INET_ADDRSTRLEN], destination[INET_ADDRSTRLEN], number[16];
        inet_ntop(AF_INET, &taken[i].source, source, sizeof source);
        inet_ntop(AF_INET, &taken[i].destination, destination, sizeof destination);
        snprintf(number, sizeof number, "%u", taken[i].reason);
        const char *reason = taken[i].reason < sizeof reasons / sizeof *reasons ? reasons[taken[i].reason] : NULL;
        printf("{\"type\":\"drops\",\"beginNs\":%llu,\"endNs\":%llu,\"count\":%llu,\"port\":%u,\"netns\":%u", drops.first_ns, drops.last_ns, drops.count,
               ntohs(taken[i].port), taken[i].netns);
        put_named("reason", reason ? reason : number);
        put_named("source", source);
        put_named("destination", destination);
        puts("}");
    }
}

static void put_losses(void)
{
    static const char *names[] = {"records", "threads", "drops"};
    int processors = libbpf_num_possible_cpus();
    unsigned long long values[processors > 0 ? processors : 1];
    for (unsigned int what = 0; what < LOST_COUNTERS; what++) {
        unsigned long long sum = 0;
        if (bpf_map_lookup_elem(map_of("lost"), &what, values) != 0)
            continue;
        for (int i = 0; i < processors; i++)
            sum += values[i];
        if (sum != lost_told[what]) {
            printf("{\"type\":\"lost\",\"what\":\"%s\",\"count\":%llu,\"timeNs\":%llu}\n", names[what], sum - lost_told[what], now_ns());
            lost_told[what] = sum;
        }
    }
}

/* Absences that are not over. */
static void put_open(unsigned long long threshold_ns)
{
    static struct absence absence;
    int map = map_of("threads");
    unsigned int key, previous = 0;
    for (int first = 1; bpf_map_get_next_key(map, first ? NULL : &previous, &key) == 0; previous = key, first = 0) {
        if (bpf_map_lookup_elem(map, &key, &absence) == 0 && absence.begin_ns && now_ns() - absence.begin_ns >= threshold_ns
                && process_of((int) absence.task.pid)) {
            absence.end_ns = 0;
            absence.kernel_bytes = 0;
            put_absence(&absence);
        }
    }
}

/* ---- Main ---- */

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

static void set_constants(unsigned long long absence_ns, unsigned long long fault_ns, unsigned int stack_pages)
{
    struct constants {
        unsigned long long absence_ns;
        unsigned long long fault_ns;
        unsigned int stack_pages;
        unsigned int named;
    } constants;
    const size_t used = sizeof constants;
    size_t size = 0;
    struct bpf_map *map = bpf_object__find_map_by_name(object, ".rodata");
    const void *initial = map ? bpf_map__initial_value(map, &size) : NULL;
    if (!initial || size < used)
        fail("the recorder's own programs have no constants");
    char values[size];
    memcpy(values, initial, size);
    constants = (struct constants) {absence_ns, fault_ns, stack_pages, name_count > 0};
    memcpy(values, &constants, used);
    if (bpf_map__set_initial_value(map, values, size) != 0)
        fail("cannot set the limits: %s", strerror(errno));
}

static void load(unsigned long long absence_ns, unsigned long long fault_ns, unsigned int stack_pages)
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
    object = bpf_object__open_mem(naklab_bpf_begin, (size_t) (naklab_bpf_end - naklab_bpf_begin), NULL);
    if (!object)
        fail("cannot read the recorder's own programs: %s", last_warning);
    set_constants(absence_ns, fault_ns, stack_pages);
    struct btf *btf = btf__load_vmlinux_btf();
    struct bpf_program *program;
    faults_seen = true;
    bpf_object__for_each_program(program, object)
    {
        char type[LINE];
        const char *section = bpf_program__section_name(program);
        const char *slash = strchr(section, '/');
        snprintf(type, sizeof type, "btf_trace_%s", slash ? slash + 1 : "");
        if (slash && btf__find_by_name_kind(btf, type, BTF_KIND_TYPEDEF) < 0) {
            bpf_program__set_autoload(program, false);
            faults_seen = faults_seen && !strstr(section, "page_fault_user");
        }
    }
    btf__free(btf);
    errno = 0;
    if (bpf_object__load(object) != 0) {
        int error = errno;
        fail("the kernel refuses the BPF programs: %s%s (%s)", strerror(error),
             error == EPERM ? "; CAP_BPF is missing, or locked memory is limited (ulimit -l), or the kernel is locked down" : "", last_warning);
    }
}

static void attach(void)
{
    struct bpf_program *program;
    bpf_object__for_each_program(program, object)
    {
        if (!bpf_program__autoload(program) || strchr(bpf_program__section_name(program), '/') == NULL)
            continue;
        if (!bpf_program__attach(program))
            fail("cannot attach to %s: %s", bpf_program__section_name(program), strerror(errno));
    }
}

static bool obey(char *command)
{
    int pid;
    if (sscanf(command, "add %d", &pid) == 1)
        add(pid);
    else if (sscanf(command, "remove %d", &pid) == 1)
        remove_process(pid);
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

static void work(struct ring_buffer *ring)
{
    struct pollfd polled[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = ring_buffer__epoll_fd(ring), .events = POLLIN}};
    unsigned long long drops_ns = 0;
    for (;;) {
        if (poll(polled, 2, DROP_PERIOD_MS) < 0 && errno != EINTR)
            fail("cannot wait: %s", strerror(errno));
        ring_buffer__consume(ring);
        if (now_ns() - drops_ns >= DROP_PERIOD_MS * 1000000ULL) {
            put_drops();
            put_losses();
            remove_gone();
            drops_ns = now_ns();
        }
        if (polled[0].revents && !read_commands())
            return;
        if (fflush(stdout) != 0)
            return; /* Nobody listens any more. */
    }
}

static void prioritize(int priority)
{
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
    unsigned long long absence_us = 5000, fault_us = 1000, stack_pages = 2;
    int i = 1;
    for (; i < count && arguments[i][0] == '-'; i += 2) {
        if (strcmp(arguments[i], "--absence-us") == 0)
            absence_us = number(arguments[i + 1], 1000000000);
        else if (strcmp(arguments[i], "--fault-us") == 0)
            fault_us = number(arguments[i + 1], 1000000000);
        else if (strcmp(arguments[i], "--stack-pages") == 0)
            stack_pages = number(arguments[i + 1], STACK_PAGES);
        else if (strcmp(arguments[i], "--thread") == 0 && arguments[i + 1] && name_count < MAX_NAMES)
            names[name_count++] = arguments[i + 1];
        else
            number(arguments[i], 0);
    }
    user_stacks = stack_pages > 0;
    signal(SIGPIPE, SIG_IGN);
    static char output[1 << 16];
    setvbuf(stdout, output, _IOFBF, sizeof output);
    load(absence_us * 1000, fault_us * 1000, (unsigned int) stack_pages);
    read_symbols();
    read_reasons();
    struct ring_buffer *ring = ring_buffer__new(map_of("records"), on_record, NULL, NULL);
    if (!ring)
        fail("cannot map the ring of records: %s", strerror(errno));
    for (int k = 0; k < name_count; k++) {
        char comm[COMM_LENGTH] = {0};
        unsigned char one = 1;
        strncpy(comm, names[k], sizeof comm - 1);
        bpf_map_update_elem(map_of("names"), comm, &one, BPF_ANY);
    }
    attach();
    printf("{\"type\":\"ready\",\"timeNs\":%llu,\"faults\":%s}\n", now_ns(), faults_seen ? "true" : "false");
    for (; i < count; i++)
        add((int) number(arguments[i], 1 << 22));
    fflush(stdout);
    /* Unwinding must not preempt the threads whose waits are recorded. The start and the end are as urgent as what waits for them. */
    int usual = getpriority(PRIO_PROCESS, 0);
    prioritize(LOWEST_PRIORITY);
    work(ring);
    prioritize(usual);
    ring_buffer__consume(ring);
    put_drops();
    put_losses();
    put_open(absence_us * 1000);
    printf("{\"type\":\"end\",\"timeNs\":%llu}\n", now_ns());
    return fflush(stdout) == 0 ? 0 : 1;
}
