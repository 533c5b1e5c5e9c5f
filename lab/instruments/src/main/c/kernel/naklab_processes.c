#define _GNU_SOURCE
#include "naklab_processes.h"

#include <bpf/bpf.h>
#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "naklab_json.h"
#include "naklab_parser.h"
#include "naklab_programs.h"
#include "naklab_time.h"

enum { MAX_PROCESSES = 256, MAX_COUNTERS = 8192, LINE = 64 };

/* 0: free */
static int processes[MAX_PROCESSES];
static struct counter {
    int pid;
    int fd;
} counters[MAX_COUNTERS];
static int counter_count;
static bool user_stacks;
static unsigned long long sample_ns;
/* The threads whose user stacks are recorded; without any, those of all. */
static const char *names[MAX_NAMES];
static int name_count;

bool add_name(const char *name)
{
    if (name_count == MAX_NAMES)
        return false;
    names[name_count++] = name;
    return true;
}

bool has_names(void)
{
    return name_count > 0;
}

static bool is_named(const char *comm)
{
    for (int i = 0; i < name_count; i++)
        if (strncmp(names[i], comm, COMM_LENGTH - 1) == 0)
            return true;
    return name_count == 0;
}

void put_names(void)
{
    for (int i = 0; i < name_count; i++) {
        char comm[COMM_LENGTH] = {0};
        unsigned char one = 1;
        strncpy(comm, names[i], sizeof comm - 1);
        bpf_map_update_elem(map_of(names), comm, &one, BPF_ANY);
    }
}

void set_samples(unsigned long long period_ns)
{
    sample_ns = period_ns;
}

void set_user_stacks(bool wanted)
{
    user_stacks = wanted;
}

static int *process_of(int pid)
{
    for (int i = 0; i < MAX_PROCESSES; i++)
        if (processes[i] == pid)
            return &processes[i];
    return NULL;
}

void put_user_stack(const struct absence *absence)
{
    int pid = (int) absence->task.pid;
    if (!user_stacks || !process_of(pid) || absence->regs[AT_SP] == 0)
        return;
    const struct stack *stack = parser_unwind(pid, absence);
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

/* Counts events of one thread and of those that it starts; nothing is counted, and nothing is slower, elsewhere. */
static bool count_events(int pid, int tid, unsigned long long which, unsigned long long period, const struct bpf_program *program)
{
    if (counter_count == MAX_COUNTERS)
        return false;
    struct perf_event_attr attributes = {.type = PERF_TYPE_SOFTWARE, .size = sizeof attributes, .config = which, .sample_period = period, .inherit = 1};
    int fd = (int) syscall(SYS_perf_event_open, &attributes, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (fd < 0)
        return errno == ESRCH;
    if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, bpf_program__fd(program)) != 0) {
        close(fd);
        return false;
    }
    counters[counter_count++] = (struct counter){pid, fd};
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

static void read_comm(int pid, int tid, char *comm)
{
    char path[LINE];
    snprintf(path, sizeof path, "/proc/%d/task/%d/comm", pid, tid);
    FILE *file = fopen(path, "re");
    if (!file)
        return;
    if (fgets(comm, COMM_LENGTH, file))
        comm[strcspn(comm, "\n")] = '\0';
    fclose(file);
}

/* Leaves it alone if nobody traces the thread. */
static void read_tracer(int pid, int tid, struct task *tracer)
{
    char path[LINE], line[256];
    int number;
    snprintf(path, sizeof path, "/proc/%d/task/%d/status", pid, tid);
    FILE *file = fopen(path, "re");
    if (!file)
        return;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "TracerPid: %d", &number) == 1 && number > 0) {
            tracer->pid = tracer->tid = (unsigned int) number;
            read_comm(number, number, tracer->comm);
        }
    fclose(file);
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
    memset(&absence, 0, sizeof absence);
    absence.type = RECORD_ABSENCE;
    absence.begin_ns = now_ns();
    absence.state = bits[letter - letters];
    absence.task.pid = (unsigned int) pid;
    absence.task.tid = (unsigned int) tid;
    read_comm(pid, tid, absence.task.comm);
    absence.flags = ABSENCE_BEGAN_BEFORE | (is_named(absence.task.comm) ? 0 : ABSENCE_OF_OTHER);
    if (*letter == 't')
        read_tracer(pid, tid, &absence.by);
    bpf_map_update_elem(map_of(threads), &absence.task.tid, &absence, BPF_NOEXIST);
}

void add_process(int pid)
{
    char path[LINE];
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *tasks = opendir(path);
    int *process = process_of(pid) ? NULL : process_of(0);
    if (!tasks || !process) {
        printf("{\"type\":\"added\",\"pid\":%d,\"threads\":0,\"faults\":false}\n", pid);
        if (tasks)
            closedir(tasks);
        return;
    }
    *process = pid;
    unsigned int key = (unsigned int) pid;
    unsigned char one = 1;
    bpf_map_update_elem(map_of(targets), &key, &one, BPF_ANY);
    int threads = 0;
    bool counted = true, sampled = true;
    for (struct dirent *entry; (entry = readdir(tasks));) {
        int tid = atoi(entry->d_name);
        if (tid <= 0)
            continue;
        threads++;
        counted = count_events(pid, tid, PERF_COUNT_SW_PAGE_FAULTS_MAJ, 1, programs->progs.on_major_fault)
                  && count_events(pid, tid, PERF_COUNT_SW_PAGE_FAULTS_MIN, 1, programs->progs.on_minor_fault) && counted;
        sampled = sampled && (sample_ns == 0 || count_events(pid, tid, PERF_COUNT_SW_CPU_CLOCK, sample_ns, programs->progs.on_sample));
        seed(pid, tid);
    }
    closedir(tasks);
    printf("{\"type\":\"added\",\"pid\":%d,\"threads\":%d,\"faults\":%s}\n", pid, threads, counted && are_faults_seen() ? "true" : "false");
    if (!counted)
        printf("{\"type\":\"lost\",\"what\":\"faults\",\"count\":1,\"timeNs\":%llu}\n", now_ns());
    if (!sampled)
        printf("{\"type\":\"lost\",\"what\":\"samples\",\"count\":1,\"timeNs\":%llu}\n", now_ns());
}

void forget_files(int pid)
{
    if (process_of(pid))
        parser_forget(pid);
}

static void forget_threads(int pid)
{
    static struct absence absence;
    unsigned int tid, previous, gone[64];
    int map = map_of(threads), faults = map_of(faults), count;
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

void remove_process(int pid)
{
    int *process = process_of(pid);
    unsigned int key = (unsigned int) pid;
    bpf_map_delete_elem(map_of(targets), &key);
    close_counters(pid);
    forget_threads(pid);
    if (process) {
        forget_files(pid);
        *process = 0;
    }
}

void remove_gone(void)
{
    for (int i = 0; i < MAX_PROCESSES; i++)
        if (processes[i] && kill(processes[i], 0) != 0 && errno == ESRCH)
            remove_process(processes[i]);
}

bool is_recorded(int pid)
{
    return process_of(pid) != NULL;
}
