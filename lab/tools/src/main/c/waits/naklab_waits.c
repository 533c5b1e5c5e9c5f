/*
 * Loads the programs, prints a line when they run, waits for the end of its input, and prints what they have counted: one JSON document on each
 * line, the shapes of SystemRecorder.java.
 *
 *     naklab-waits ROOT_PID          the programs that this process starts
 *     naklab-waits --process PID     a process that runs, and the programs that it starts
 */
#define _GNU_SOURCE
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "naklab_waits.h"
#include "naklab_loader.h"
#include "naklab_waits.skel.h"

static const char *const call_names[MAX_CALLS] = {
#include "names.h"
};

static void print_name(const char *name)
{
    for (; *name; name++) {
        if (*name == '"' || *name == '\\' || (unsigned char) *name < ' ' || (unsigned char) *name > '~')
            putchar('?');
        else
            putchar(*name);
    }
}

/* Reads a small file of a thread in /proc: 0 if the thread has ended. */
static int read_file(char *text, size_t size, __s32 pid, __s32 tid, const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/%s", pid, tid, name);
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(text, 1, size - 1, file) : 0;
    if (file)
        fclose(file);
    text[length] = '\0';
    return length > 0;
}

/* A thread that is alive has its name in /proc; the kernel told that of the others when they ended. */
static void read_name(struct thread *thread, __s32 tid)
{
    char name[NAME_LENGTH + 1];
    if (!thread->ended && read_file(name, sizeof name, thread->pid, tid, "comm")) {
        name[strcspn(name, "\n")] = '\0';
        snprintf(thread->name, sizeof thread->name, "%.15s", name);
    }
}

/* A thread that the kernel has not reported yet: it begins now, in the state that it has. */
static void add_thread(int map, __s32 pid, __s32 tid)
{
    char state[512], call[64];
    struct thread thread = {.begin_ns = now_ns(), .pid = pid, .call = NO_CALL};
    if (!read_file(state, sizeof state, pid, tid, "stat") || !read_file(call, sizeof call, pid, tid, "syscall"))
        return;
    thread.mark_ns = thread.begin_ns;
    if (call[0] != 'r' && call[0] != '-')
        thread.call = atoi(call);
    const char *end_of_name = strrchr(state, ')');
    char letter = end_of_name && end_of_name[1] ? end_of_name[2] : 'R';
    thread.part = letter == 'R' ? PART_CPU : part_of_call(thread.call, letter == 'D');
    bpf_map_update_elem(map, &tid, &thread, BPF_NOEXIST);
}

static void add_process(const struct naklab_waits_bpf *programs, __s32 pid)
{
    struct group group = {.direct = 0};
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *tasks = opendir(path);
    if (!tasks)
        fail("no such process");
    bpf_map_update_elem(bpf_map__fd(programs->maps.groups), &pid, &group, BPF_ANY);
    for (struct dirent *task = readdir(tasks); task; task = readdir(tasks)) {
        if (atoi(task->d_name) > 0)
            add_thread(bpf_map__fd(programs->maps.threads), pid, atoi(task->d_name));
    }
    closedir(tasks);
}

static void print_futex(const struct futex_key *key, const struct futex *futex)
{
    printf("{\"kind\":\"futex\",\"pid\":%d,\"address\":\"0x%llx\",\"holder\":%d,\"isLock\":%s,\"waits\":%llu,\"totalNs\":%llu,\"longestNs\":%llu,\"longestTid\":%d}\n", key->pid,
        (unsigned long long) key->address, key->holder, key->is_lock ? "true" : "false", (unsigned long long) futex->waits, (unsigned long long) futex->total_ns,
        (unsigned long long) futex->longest_ns, futex->longest_tid);
}

/* A thread that still waits for a lock, or that ended while it did: of a deadlock, no wait returns. */
static void print_open_wait(const struct thread *thread, __s32 tid, unsigned long long end_ns)
{
    if (thread->futex && thread->is_lock && thread->call_ns && end_ns > thread->call_ns) {
        struct futex_key key = {.address = thread->futex, .pid = thread->pid, .holder = thread->holder, .is_lock = 1};
        struct futex futex = {.waits = 1, .total_ns = end_ns - thread->call_ns, .longest_ns = end_ns - thread->call_ns, .longest_tid = tid};
        print_futex(&key, &futex);
    }
}

static void print_futexes(int map)
{
    struct futex_key key, next;
    struct futex_key *last = NULL;
    while (bpf_map_get_next_key(map, last, &next) == 0) {
        struct futex futex;
        if (bpf_map_lookup_elem(map, &next, &futex) == 0)
            print_futex(&next, &futex);
        key = next;
        last = &key;
    }
}

static void print_threads(int map, unsigned long long end_ns)
{
    __s32 key, next;
    __s32 *last = NULL;
    while (bpf_map_get_next_key(map, last, &next) == 0) {
        struct thread thread;
        if (bpf_map_lookup_elem(map, &next, &thread) == 0) {
            if (!thread.ended && thread.part < PARTS && end_ns > thread.mark_ns)
                thread.ns[thread.part] += end_ns - thread.mark_ns;
            read_name(&thread, next);
            printf("{\"kind\":\"thread\",\"pid\":%d,\"tid\":%d,\"name\":\"", thread.pid, next);
            print_name(thread.name);
            printf("\",\"lifeNs\":%llu,\"ns\":[", (unsigned long long) ((thread.ended ? thread.end_ns : end_ns) - thread.begin_ns));
            for (int i = 0; i < PARTS; i++)
                printf("%s%llu", i ? "," : "", (unsigned long long) thread.ns[i]);
            printf("]}\n");
            print_open_wait(&thread, next, thread.ended ? thread.end_ns : end_ns);
        }
        key = next;
        last = &key;
    }
}

static void print_calls(int map)
{
    __s32 key, next;
    __s32 *last = NULL;
    while (bpf_map_get_next_key(map, last, &next) == 0) {
        struct call call;
        if (bpf_map_lookup_elem(map, &next, &call) == 0) {
            const char *name = next >= 0 && next < MAX_CALLS ? call_names[next] : NULL;
            printf("{\"kind\":\"call\",\"number\":%d,\"name\":\"%s\",\"calls\":%llu,\"errors\":%llu,\"totalNs\":%llu,\"longestNs\":%llu,\"awayNs\":%llu}\n", next, name ? name : "",
                (unsigned long long) call.calls, (unsigned long long) call.errors, (unsigned long long) call.total_ns, (unsigned long long) call.longest_ns,
                (unsigned long long) call.away_ns);
        }
        key = next;
        last = &key;
    }
}

int main(int argc, char **argv)
{
    char letter;
    int is_process = argc > 2 && strcmp(argv[1], "--process") == 0;
    __s32 root = argc > 1 && !is_process ? atoi(argv[1]) : 0;
    setsid(); /* A terminal's Ctrl-C is for the lab, which then ends the input. */
    begin_loading("not root: BPF programs need CAP_BPF and CAP_PERFMON");
    struct naklab_waits_bpf *programs = naklab_waits_bpf__open();
    if (!programs)
        fail("cannot read the BPF programs");
    programs->rodata->root = root;
    if (naklab_waits_bpf__load(programs) != 0)
        fail("the kernel refuses the BPF programs");
    if (naklab_waits_bpf__attach(programs) != 0)
        fail("cannot attach the BPF programs");
    if (is_process)
        add_process(programs, atoi(argv[2]));
    printf("{\"kind\":\"ready\"}\n");
    fflush(stdout);
    while (read(STDIN_FILENO, &letter, 1) > 0) {
    }
    print_threads(bpf_map__fd(programs->maps.threads), now_ns());
    print_calls(bpf_map__fd(programs->maps.calls));
    print_futexes(bpf_map__fd(programs->maps.futexes));
    __u32 key = 0;
    __u64 lost = 0;
    bpf_map_lookup_elem(bpf_map__fd(programs->maps.lost), &key, &lost);
    printf("{\"kind\":\"end\",\"lost\":%llu}\n", (unsigned long long) lost);
    return 0;
}
