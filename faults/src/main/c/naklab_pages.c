/*
 * The pages that a late bind needs: kept in memory (the remedy) or sent out of it (the fault). Both act on the segments of
 * this library, of libc and of the dynamic linker, as they are mapped into this process.
 */
#define _GNU_SOURCE

#include "naklab_yield.h"

#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Linux 5.4; older C libraries do not name it. */
#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif

extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

struct visit {
    naklab_segment_visitor visitor;
    void *state;
};

static int starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static int takes_part_in_binding(const struct dl_phdr_info *object)
{
    const char *slash = strrchr(object->dlpi_name, '/');
    const char *name = slash == NULL ? object->dlpi_name : slash + 1;

    return object->dlpi_addr == (uintptr_t) &__ehdr_start || starts_with(name, "libc.so") || starts_with(name, "libc-2.") || starts_with(name, "ld-linux")
           || starts_with(name, "ld-2.");
}

static int visit_object(struct dl_phdr_info *object, size_t size, void *argument)
{
    const struct visit *visit = argument;
    uintptr_t page_mask = ~((uintptr_t) sysconf(_SC_PAGESIZE) - 1);
    int i;

    (void) size;
    if (!takes_part_in_binding(object)) {
        return 0;
    }
    for (i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];

        if (header->p_type == PT_LOAD && (header->p_flags & PF_R) != 0) {
            uintptr_t begin = (object->dlpi_addr + header->p_vaddr) & page_mask;
            uintptr_t end = (object->dlpi_addr + header->p_vaddr + header->p_memsz + ~page_mask) & page_mask;
            struct naklab_segment segment = {begin, end - begin, (header->p_flags & PF_W) != 0, header->p_offset == 0};

            visit->visitor(&segment, visit->state);
        }
    }
    return 0;
}

void naklab_visit_segments(naklab_segment_visitor visitor, void *state)
{
    struct visit visit = {visitor, state};

    dl_iterate_phdr(visit_object, &visit);
}

/* What the Java side reads: bytes locked, bytes that were only touched because the limit on locked memory was reached. */
struct kept {
    int64_t locked_bytes;
    int64_t touched_bytes;
};

static void keep(const struct naklab_segment *segment, void *state)
{
    struct kept *kept = state;
    long page_bytes = sysconf(_SC_PAGESIZE);
    size_t offset;

    if (mlock((const void *) segment->begin, segment->length_bytes) == 0) {
        kept->locked_bytes += (int64_t) segment->length_bytes;
        return;
    }
    for (offset = 0; offset < segment->length_bytes; offset += (size_t) page_bytes) {
        (void) *(const volatile char *) (segment->begin + offset);
    }
    kept->touched_bytes += (int64_t) segment->length_bytes;
}

JNIEXPORT void JNICALL Java_org_naklab_faults_binding_YieldLibrary_keepPages(JNIEnv *env, jclass type, jobject buffer)
{
    struct kept *kept = (*env)->GetDirectBufferAddress(env, buffer);

    (void) type;
    if (kept == NULL) {
        return;
    }
    kept->locked_bytes = 0;
    kept->touched_bytes = 0;
    naklab_visit_segments(keep, kept);
}

#define NAKLAB_MAX_SEGMENTS 32

struct collected {
    int count;
    struct naklab_segment segments[NAKLAB_MAX_SEGMENTS];
};

/*
 * The symbol tables, which nobody reads but who binds or loads: memory pressure would take them first. The code beside them is
 * in use all the time, and to take it away would be a stall of its own. Writable segments hold private copies, which only swap
 * could take; there the advice does nothing.
 */
static void collect(const struct naklab_segment *segment, void *state)
{
    struct collected *collected = state;

    if (segment->has_symbols && !segment->writable && collected->count < NAKLAB_MAX_SEGMENTS) {
        collected->segments[collected->count++] = *segment;
    }
}

/*
 * Bytes advised, or minus the error number. The kernel skips pages that another process maps too and reports success all the
 * same, so this is no proof of anything: the major faults of the next yield are.
 */
JNIEXPORT jlong JNICALL Java_org_naklab_faults_binding_YieldLibrary_evictPages(JNIEnv *env, jclass type)
{
    struct collected collected = {0};
    int64_t advised_bytes = 0;
    int i;

    (void) env;
    (void) type;
    /*
     * First all segments are found, then they go: where they lie stands in the first page of each object, and to look there
     * in between would bring that page back, and with it the symbol tables beside it. Libc comes first in the list, and so
     * goes last: where its code shares the segment, only the text that this function returns through is needed again.
     */
    naklab_visit_segments(collect, &collected);
    for (i = collected.count - 1; i >= 0; i--) {
        const struct naklab_segment *segment = &collected.segments[i];

        if (madvise((void *) segment->begin, segment->length_bytes, MADV_PAGEOUT) != 0) {
            return -(jlong) errno;
        }
        advised_bytes += (int64_t) segment->length_bytes;
    }
    return (jlong) advised_bytes;
}

/*
 * 1 if this library's symbol tables are in memory, 0 if not, minus the error number if the kernel does not tell. Looks at the page
 * cache, and not at the page: that would bring it back. They lie in the first page, behind the headers.
 */
JNIEXPORT jint JNICALL Java_org_naklab_faults_binding_YieldLibrary_areSymbolsInMemory(JNIEnv *env, jclass type)
{
    size_t page_bytes = (size_t) sysconf(_SC_PAGESIZE);
    uintptr_t page = (uintptr_t) &__ehdr_start & ~(page_bytes - 1);
    unsigned char residence = 0;

    (void) env;
    (void) type;
    if (mincore((void *) page, page_bytes, &residence) != 0) {
        return -errno;
    }
    return residence & 1;
}
