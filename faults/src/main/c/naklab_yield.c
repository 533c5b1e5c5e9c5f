/*
 * Calls sched_yield() through its procedure linkage table. The library is linked with -z lazy, so the dynamic linker looks
 * the symbol up at the first call and not before: the call that stalled the market data service.
 */
#define _GNU_SOURCE

#include "naklab_yield.h"

#include <elf.h>
#include <link.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#define NAKLAB_JUMP_SLOT R_X86_64_JUMP_SLOT
#elif defined(__aarch64__)
#define NAKLAB_JUMP_SLOT R_AARCH64_JUMP_SLOT
#else
#error "only x86-64 and aarch64 are supported"
#endif

extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

static int64_t monotonic_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t) now.tv_sec * 1000000000 + now.tv_nsec;
}

/*
 * With really false everything happens but the yield: the JVM links this method, and clock_gettime, getrusage and syscall
 * are bound, while sched_yield stays unbound.
 */
JNIEXPORT void JNICALL Java_org_naklab_faults_binding_YieldLibrary_yieldOnce(JNIEnv *env, jclass type, jobject buffer, jboolean really)
{
    struct naklab_yield_result *result = (*env)->GetDirectBufferAddress(env, buffer);
    struct rusage before;
    struct rusage after;

    (void) type;
    if (result == NULL) {
        return;
    }
    result->thread_id = syscall(SYS_gettid);
    getrusage(RUSAGE_THREAD, &before);
    result->begin_ns = monotonic_ns();
    if (really) {
        sched_yield();
    }
    result->end_ns = monotonic_ns();
    getrusage(RUSAGE_THREAD, &after);
    result->major_faults = after.ru_majflt - before.ru_majflt;
    result->minor_faults = after.ru_minflt - before.ru_minflt;
}

/* glibc turns the addresses in the dynamic section into absolute ones when it loads the object; other linkers do not. */
static uintptr_t absolute(ElfW(Addr) address)
{
    uintptr_t base = (uintptr_t) &__ehdr_start;

    return address < base ? base + address : address;
}

static uintptr_t dynamic_value(ElfW(Sxword) tag)
{
    const ElfW(Dyn) * entry;

    for (entry = _DYNAMIC; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == tag) {
            return entry->d_un.d_val;
        }
    }
    return 0;
}

/* The address in the global offset table through which sched_yield is called, or NULL. */
static const uintptr_t *jump_slot(const char *name)
{
    const ElfW(Rela) *relocation = (const ElfW(Rela) *) absolute(dynamic_value(DT_JMPREL));
    const ElfW(Sym) *symbols = (const ElfW(Sym) *) absolute(dynamic_value(DT_SYMTAB));
    const char *strings = (const char *) absolute(dynamic_value(DT_STRTAB));
    size_t count = dynamic_value(DT_PLTRELSZ) / sizeof(*relocation);
    size_t i;

    for (i = 0; i < count; i++) {
        if (ELF64_R_TYPE(relocation[i].r_info) == NAKLAB_JUMP_SLOT && strcmp(strings + symbols[ELF64_R_SYM(relocation[i].r_info)].st_name, name) == 0) {
            return (const uintptr_t *) ((uintptr_t) &__ehdr_start + relocation[i].r_offset);
        }
    }
    return NULL;
}

/*
 * 1 bound, 0 not yet, -1 there is no such slot. An unbound slot leads back into this library's own linkage table. Under an
 * audit library glibc leaves the slot as it is and keeps the address elsewhere: the audit page tells, this does not.
 */
JNIEXPORT jint JNICALL Java_org_naklab_faults_binding_YieldLibrary_boundState(JNIEnv *env, jclass type)
{
    static const uintptr_t *slot;

    (void) env;
    (void) type;
    /* Found once: who reads the symbols again and again keeps the pages in memory that a late bind should miss. */
    if (slot == NULL && (slot = jump_slot("sched_yield")) == NULL) {
        return -1;
    }
    return *slot < (uintptr_t) &__ehdr_start || *slot >= (uintptr_t) _end;
}
