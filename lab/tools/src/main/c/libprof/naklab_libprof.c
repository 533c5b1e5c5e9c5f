/*
 * The profiler of library calls: an rtld-audit(7) library whose hooks see each call through a procedure linkage table. Each thread has a
 * shadow stack, so that the time of a call counts for the innermost function only. All figures are in a shared file from the first moment:
 * a program that crashes or is killed leaves its table. Nothing is allocated after the start.
 *
 *     NAKLAB_LIBPROF_FILE    the shared file, made by the lab. Not set: the library asks to be left out
 *     NAKLAB_LIBPROF_STOP    set: no call is hooked, and the first program stops by SIGSTOP when its libraries are loaded and before it runs
 */
#define _GNU_SOURCE

#include "naklab_libprof.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if !defined(__x86_64__)
#error "only x86-64 is supported"
#endif

/* Twice as many as functions, so that a search is short. */
#define SLOTS (2 * NAKLAB_FUNCTIONS)
#define OBJECTS 2048
#define NO_FUNCTION UINT32_MAX

/*
 * How many bytes of arguments on the stack are copied for the function (framesize of pltenter). With -1, the usual value, the dynamic
 * linker jumps to the function and never sees it return; with 0 or more it calls the function with so many bytes of its caller's stack
 * copied, and then calls pltexit. Too few, and a function with many arguments reads garbage; 512 bytes are 64 words.
 */
#define ARGUMENT_BYTES 512

/* Further apart than this, two stack pointers are of different stacks, such as that of a signal handler. */
#define SAME_STACK_BYTES (UINT64_C(1) << 20)

#define NAME_PERIOD 1024

/* Functions that look at the frame of their caller or return twice: they must not be called from the linker's trampoline. */
static const char *const not_timed[] = {"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "getcontext", "swapcontext", "vfork", "dlopen", "dlmopen", "dlsym", "dlvsym", "dlinfo",
    "_mcount", "mcount", "__fentry__", "__builtin_return_address", "pthread_exit", "rt_sigreturn", "backtrace", "clone", "__cxa_thread_atexit_impl", NULL};

/* Where the kernel clears it, a child of fork(2) knows that the thread's place belongs to its parent. */
struct owner {
    int32_t process_id;
};

static int is_to_stop;
static int is_unhooked;
static struct table *table;
static struct owner *owner;
static uint64_t stack_end;
static int64_t loaded_ns;
static _Atomic uint32_t objects;
static char libraries[OBJECTS][NAKLAB_LIBRARY_BYTES];
static _Atomic uint64_t keys[SLOTS];
static _Atomic uint32_t ids[SLOTS];

static __thread struct thread *current __attribute__((tls_model("initial-exec")));
static __thread int is_lost __attribute__((tls_model("initial-exec")));
/* Between taking a slot and writing its number: a signal handler must not wait for the thread that it has interrupted. */
static __thread volatile int is_naming __attribute__((tls_model("initial-exec")));

static int64_t monotonic_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t) now.tv_sec * 1000000000 + now.tv_nsec;
}

static struct table *map_table(const char *path)
{
    int descriptor = open(path, O_RDWR | O_CLOEXEC);
    struct stat status;
    struct table *mapped = MAP_FAILED;

    if (descriptor < 0) {
        dprintf(STDERR_FILENO, "naklab libprof: cannot open %s: %s\n", path, strerror(errno));
        return NULL;
    }
    if (fstat(descriptor, &status) == 0 && status.st_size >= (off_t) sizeof(struct table)) {
        mapped = mmap(NULL, sizeof(struct table), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    }
    close(descriptor);
    if (mapped == MAP_FAILED || mapped->header.magic != NAKLAB_LIBPROF_MAGIC) {
        dprintf(STDERR_FILENO, "naklab libprof: %s is not a table of library calls\n", path);
        return NULL;
    }
    return mapped;
}

/* 0 tells the dynamic linker to go on without this library. */
unsigned int la_version(unsigned int version)
{
    const char *path = getenv("NAKLAB_LIBPROF_FILE");

    loaded_ns = monotonic_ns();
    if (path == NULL) {
        return 0;
    }
    owner = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (owner == MAP_FAILED || madvise(owner, 4096, MADV_WIPEONFORK) != 0) {
        return 0;
    }
    table = map_table(path);
    if (table == NULL) {
        return 0;
    }
    /* The name of the program is the last thing on the stack of the first thread. */
    stack_end = getauxval(AT_EXECFN);
    owner->process_id = (int32_t) getpid();
    is_unhooked = getenv("NAKLAB_LIBPROF_STOP") != NULL;
    is_to_stop = atomic_fetch_add(&table->header.loads, 1) == 0 && is_unhooked;
    return version < LAV_CURRENT ? version : LAV_CURRENT;
}

static int is_alive(const struct thread *thread)
{
    return syscall(SYS_tgkill, thread->process_id, thread->thread_id, 0) == 0 || errno != ESRCH;
}

static void take_name(struct thread *thread)
{
    prctl(PR_GET_NAME, thread->name);
}

static void begin_thread(struct thread *thread, int64_t now_ns)
{
    thread->thread_id = (int32_t) syscall(SYS_gettid);
    thread->depth = 0;
    thread->is_main = thread->thread_id == (int32_t) getpid();
    thread->mark_ns = now_ns;
    take_name(thread);
    atomic_signal_fence(memory_order_release);
    thread->process_id = (int32_t) getpid();
}

/* A place of its own, or else that of a thread which has ended: their figures are added up. */
static struct thread *place(int64_t now_ns)
{
    uint32_t index = atomic_fetch_add(&table->header.threads, 1);
    struct thread *thread;
    uint32_t i;

    if (index < NAKLAB_THREADS) {
        thread = &table->threads[index];
        thread->begin_ns = now_ns;
        return thread;
    }
    for (i = 0; i < NAKLAB_THREADS; i++) {
        int32_t tid;

        thread = &table->threads[i];
        tid = thread->thread_id;
        /* Two that are new must not take the same: the id of the one that has ended can be changed once. */
        if (tid > 0 && thread->process_id != 0 && !thread->is_main && !is_alive(thread)
            && __atomic_compare_exchange_n(&thread->thread_id, &tid, -1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
            /* Its life is added to that of the one before: the end of that one is the begin of this one. */
            thread->begin_ns += now_ns - thread->mark_ns;
            thread->shared++;
            return thread;
        }
    }
    return NULL;
}

static struct thread *enter_thread(void)
{
    int is_child = owner->process_id == 0;
    int64_t now_ns = monotonic_ns();

    if (is_child) {
        owner->process_id = (int32_t) getpid();
    }
    current = place(now_ns);
    if (current == NULL) {
        is_lost = 1;
        return NULL;
    }
    begin_thread(current, now_ns);
    if (current->is_main && !is_child) {
        current->begin_ns = loaded_ns;
        current->mark_ns = loaded_ns;
    }
    return current;
}

static inline struct thread *this_thread(void)
{
    if (current != NULL && owner->process_id != 0) {
        return current;
    }
    if (is_lost && owner->process_id != 0) {
        return NULL;
    }
    return enter_thread();
}

void la_preinit(uintptr_t *cookie)
{
    (void) cookie;
    atomic_fetch_add(&table->header.starts, 1);
    if (is_to_stop) {
        kill(getpid(), SIGSTOP);
    }
}

unsigned int la_objopen(struct link_map *map, Lmid_t namespace_id, uintptr_t *cookie)
{
    const char *path = map->l_name;
    const char *slash = strrchr(path, '/');
    uint32_t index = atomic_fetch_add(&objects, 1);

    if (namespace_id != LM_ID_BASE || is_unhooked) {
        return 0;
    }
    index = index < OBJECTS ? index : OBJECTS - 1;
    strncpy(libraries[index], path[0] == '\0' ? "the program" : slash == NULL ? path : slash + 1, NAKLAB_LIBRARY_BYTES - 1);
    *cookie = index;
    return LA_FLG_BINDTO | LA_FLG_BINDFROM;
}

/* The end of a program that ends by itself. */
unsigned int la_objclose(uintptr_t *cookie)
{
    (void) cookie;
    if (table != NULL && current != NULL && owner->process_id != 0 && current->is_main) {
        current->end_ns = monotonic_ns();
    }
    return 0;
}

static int is_timed(const char *name)
{
    size_t i;

    for (i = 0; not_timed[i] != NULL; i++) {
        if (strcmp(name, not_timed[i]) == 0) {
            return 0;
        }
    }
    return 1;
}

static uint32_t new_function(uint32_t object, const char *name)
{
    uint32_t id = atomic_fetch_add(&table->header.functions, 1);
    struct function *function;

    if (id >= NAKLAB_FUNCTIONS) {
        return NO_FUNCTION - 1;
    }
    function = &table->functions[id];
    strncpy(function->name, name, NAKLAB_NAME_BYTES - 1);
    strncpy(function->library, libraries[object], NAKLAB_LIBRARY_BYTES - 1);
    atomic_store_explicit(&function->ready, is_timed(name) ? 1 : 2, memory_order_release);
    return id;
}

/* The function's number, by the object that defines it and its place in that object's symbol table. */
static uint32_t function_id(uintptr_t object, unsigned int symbol, const char *name)
{
    uint64_t key = ((uint64_t) (object + 1) << 32) | symbol;
    uint64_t slot = key * UINT64_C(0x9e3779b97f4a7c15) >> 50;
    uint32_t i;

    for (i = 0; i < SLOTS; i++, slot = (slot + 1) % SLOTS) {
        uint64_t known = atomic_load_explicit(&keys[slot], memory_order_acquire);

        if (known == 0) {
            is_naming++;
            if (atomic_compare_exchange_strong(&keys[slot], &known, key)) {
                atomic_store_explicit(&ids[slot], new_function((uint32_t) object, name) + 1, memory_order_release);
                known = key;
            }
            is_naming--;
        }
        if (known == key) {
            uint32_t id = atomic_load_explicit(&ids[slot], memory_order_acquire);

            while (id == 0 && !is_naming) { /* another thread is about to write the names */
                id = atomic_load_explicit(&ids[slot], memory_order_acquire);
            }
            return id == 0 ? NO_FUNCTION - 1 : id - 1;
        }
    }
    return NO_FUNCTION - 1;
}

uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned int index, uintptr_t *from_cookie, uintptr_t *to_cookie, unsigned int *flags, const char *name)
{
    (void) from_cookie;
    if ((*flags & LA_SYMB_DLSYM) != 0) {
        *flags |= LA_SYMB_NOPLTENTER | LA_SYMB_NOPLTEXIT;
        return symbol->st_value;
    }
    function_id(*to_cookie, index, name);
    if (!is_timed(name)) {
        *flags |= LA_SYMB_NOPLTEXIT;
    }
    return symbol->st_value;
}

/* Adds the time since the last event to the innermost function. */
static inline void account(struct thread *thread, int64_t now_ns)
{
    uint64_t elapsed_ns = (uint64_t) (now_ns - thread->mark_ns);

    if (thread->depth > 0) {
        thread->counters[thread->open[thread->depth - 1].function].self_ns += elapsed_ns;
    } else {
        thread->other_ns += elapsed_ns;
    }
    thread->mark_ns = now_ns;
}

/* Calls that were left by longjmp or an exception: their frames were below the stack pointer of this one. */
static inline void drop_abandoned(struct thread *thread, uint64_t stack_pointer)
{
    while (thread->depth > 0) {
        uint64_t inner = thread->open[thread->depth - 1].stack_pointer;

        if (inner > stack_pointer || stack_pointer - inner > SAME_STACK_BYTES) {
            return;
        }
        thread->depth--;
        thread->abandoned++;
    }
}

static inline long int argument_bytes(uint64_t stack_pointer)
{
    uint64_t room = stack_end - stack_pointer;

    return stack_pointer < stack_end && room < ARGUMENT_BYTES ? (long int) (room & ~UINT64_C(15)) : ARGUMENT_BYTES;
}

Elf64_Addr la_x86_64_gnu_pltenter(
    Elf64_Sym *symbol, unsigned int index, uintptr_t *from_cookie, uintptr_t *to_cookie, La_x86_64_regs *registers, unsigned int *flags, const char *name, long int *frame_bytes)
{
    struct thread *thread = this_thread();
    uint32_t id = function_id(*to_cookie, index, name);
    uint64_t stack_pointer = registers->lr_rsp;

    (void) from_cookie;
    if (thread == NULL || id >= NAKLAB_FUNCTIONS) {
        atomic_fetch_add(&table->header.lost, 1);
        return symbol->st_value;
    }
    if (++thread->counters[id].calls % NAME_PERIOD == 0) {
        take_name(thread);
    }
    /* A signal handler that has interrupted a hook is counted only. */
    if (thread->busy) {
        return symbol->st_value;
    }
    thread->busy = 1;
    atomic_signal_fence(memory_order_seq_cst);
    account(thread, monotonic_ns());
    drop_abandoned(thread, stack_pointer);
    if ((*flags & LA_SYMB_NOPLTEXIT) == 0 && table->functions[id].ready == 1 && thread->depth < NAKLAB_DEPTH) {
        thread->open[thread->depth].stack_pointer = stack_pointer;
        thread->open[thread->depth].function = id;
        thread->depth++;
        *frame_bytes = argument_bytes(stack_pointer);
    }
    atomic_signal_fence(memory_order_seq_cst);
    thread->busy = 0;
    return symbol->st_value;
}

unsigned int la_x86_64_gnu_pltexit(
    Elf64_Sym *symbol, unsigned int index, uintptr_t *from_cookie, uintptr_t *to_cookie, const La_x86_64_regs *registers, La_x86_64_retval *result, const char *name)
{
    struct thread *thread = current;
    uint64_t stack_pointer = registers->lr_rsp;
    uint32_t depth;

    (void) symbol;
    (void) index;
    (void) from_cookie;
    (void) to_cookie;
    (void) result;
    (void) name;
    /* A child of fork returns from its parent's call. */
    if (thread == NULL || owner->process_id == 0 || thread->busy) {
        return 0;
    }
    thread->busy = 1;
    atomic_signal_fence(memory_order_seq_cst);
    for (depth = thread->depth; depth > 0 && thread->open[depth - 1].stack_pointer != stack_pointer; depth--) {
    }
    if (depth > 0) {
        account(thread, monotonic_ns());
        thread->abandoned += thread->depth - depth;
        thread->depth = depth - 1;
    }
    atomic_signal_fence(memory_order_seq_cst);
    thread->busy = 0;
    return 0;
}
