/*
 * Run-time linker audit (rtld-audit(7)), loaded by LD_AUDIT: reports when the dynamic linker binds a symbol of one library,
 * and holds one named symbol's bind up for a given time, in place of the page fault that a machine without memory pressure
 * does not have.
 *
 * It lives in a link namespace of its own, with a C library of its own; all that it shares with the process is a page:
 *
 *     NAKLAB_AUDIT_PAGE      file of the page, made by the lab (AuditPage.java). Not set: the library asks to be left out
 *     NAKLAB_AUDIT_OBJECT    beginning of the file name of the library whose binds are watched
 *     NAKLAB_AUDIT_SYMBOL    the symbol whose bind is held up for the page's delay
 */
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
#error "only x86-64 and aarch64 are supported"
#endif

#define NAKLAB_AUDIT_MAGIC INT64_C(0x544944554b414e01)
#define NAKLAB_MAX_DELAY_NS INT64_C(10000000000)
#define NAKLAB_RECORDS 63
#define NAKLAB_SYMBOL_BYTES 32
/* No cookie that the dynamic linker fills in: that is an address. */
#define NAKLAB_WATCHED 1

/*
 * 64 bytes. A record counts once its end is not 0; that is written last.
 *
 *     0        8        16       20       24       28       32               64
 *     +--------+--------+--------+--------+--------+--------+----------------+
 *     | begin  | end    | process| thread | held up| unused | symbol, padded |
 *     | ns     | ns     | id     | id     | 0 or 1 |        | with 0         |
 *     +--------+--------+--------+--------+--------+--------+----------------+
 */
struct record {
    int64_t begin_ns;
    _Atomic int64_t end_ns;
    int32_t process_id;
    int32_t thread_id;
    int32_t held_up;
    int32_t unused;
    char symbol[NAKLAB_SYMBOL_BYTES];
};

/*
 * 4096 bytes: a header as long as a record, then the records.
 *
 *     0        8        16       24       32                 64
 *     +--------+--------+--------+--------+------------------+----------
 *     | magic  | delay  | times  | binds  | unused           | records
 *     |        | ns     | loaded |        |                  |
 *     +--------+--------+--------+--------+------------------+----------
 */
struct page {
    int64_t magic;
    _Atomic int64_t delay_ns;
    _Atomic int64_t loads;
    _Atomic int64_t binds;
    int64_t unused[4];
    struct record records[NAKLAB_RECORDS];
};

#define IS_AT(type, field, offset) _Static_assert(offsetof(struct type, field) == (offset), "layout is shared with AuditPage.java")
IS_AT(record, end_ns, 8);
IS_AT(record, process_id, 16);
IS_AT(record, thread_id, 20);
IS_AT(record, held_up, 24);
IS_AT(record, symbol, 32);
IS_AT(page, delay_ns, 8);
IS_AT(page, loads, 16);
IS_AT(page, binds, 24);
IS_AT(page, records, 64);
_Static_assert(sizeof(struct record) == 64, "layout is shared with AuditPage.java");
_Static_assert(sizeof(struct page) == 4096, "layout is shared with AuditPage.java");

static struct page *page;
static const char *watched_object;
static const char *held_symbol;

static int64_t monotonic_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t) now.tv_sec * 1000000000 + now.tv_nsec;
}

static void sleep_until(int64_t deadline_ns)
{
    struct timespec deadline = {deadline_ns / 1000000000, deadline_ns % 1000000000};

    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, NULL) == EINTR) {
    }
}

static struct page *map_page(const char *path)
{
    int descriptor = open(path, O_RDWR | O_CLOEXEC);
    struct stat status;
    struct page *mapped = MAP_FAILED;

    if (descriptor < 0) {
        dprintf(STDERR_FILENO, "naklab audit: cannot open %s: %s\n", path, strerror(errno));
        return NULL;
    }
    if (fstat(descriptor, &status) == 0 && status.st_size >= (off_t) sizeof(struct page)) {
        mapped = mmap(NULL, sizeof(struct page), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    }
    close(descriptor);
    if (mapped == MAP_FAILED || mapped->magic != NAKLAB_AUDIT_MAGIC) {
        dprintf(STDERR_FILENO, "naklab audit: %s is not an audit page\n", path);
        return NULL;
    }
    return mapped;
}

static int name_begins_with(const char *path, const char *prefix)
{
    const char *slash = strrchr(path, '/');

    return strncmp(slash == NULL ? path : slash + 1, prefix, strlen(prefix)) == 0;
}

/* 0 tells the dynamic linker to go on without this library. */
unsigned int la_version(unsigned int version)
{
    const char *path = getenv("NAKLAB_AUDIT_PAGE");

    watched_object = getenv("NAKLAB_AUDIT_OBJECT");
    held_symbol = getenv("NAKLAB_AUDIT_SYMBOL");
    if (path == NULL || watched_object == NULL || held_symbol == NULL) {
        return 0;
    }
    page = map_page(path);
    if (page == NULL) {
        return 0;
    }
    atomic_fetch_add(&page->loads, 1);
    return version < LAV_CURRENT ? version : LAV_CURRENT;
}

/*
 * Only binds from the watched library to the C library are audited; all others stay as fast as they were. The dynamic linker
 * also reports what anybody looks up by dlsym(3), which the JVM does all the time; the cookie tells those apart.
 */
unsigned int la_objopen(struct link_map *map, Lmid_t namespace_id, uintptr_t *cookie)
{
    if (namespace_id != LM_ID_BASE) {
        return 0;
    }
    if (name_begins_with(map->l_name, watched_object)) {
        *cookie = NAKLAB_WATCHED;
        return LA_FLG_BINDFROM;
    }
    if (name_begins_with(map->l_name, "libc.so") || name_begins_with(map->l_name, "libpthread.so")) {
        return LA_FLG_BINDTO;
    }
    return 0;
}

static struct record *begin_record(const char *symbol, int64_t begin_ns)
{
    int64_t index = atomic_fetch_add(&page->binds, 1);
    struct record *record;

    if (index >= NAKLAB_RECORDS) {
        return NULL;
    }
    record = &page->records[index];
    record->begin_ns = begin_ns;
    record->process_id = (int32_t) getpid();
    record->thread_id = (int32_t) syscall(SYS_gettid);
    strncpy(record->symbol, symbol, NAKLAB_SYMBOL_BYTES - 1);
    return record;
}

uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned int index, uintptr_t *from_cookie, uintptr_t *to_cookie, unsigned int *flags, const char *name)
{
    int64_t begin_ns = monotonic_ns();
    struct record *record;
    int64_t delay_ns;

    (void) index;
    (void) to_cookie;
    *flags |= LA_SYMB_NOPLTENTER | LA_SYMB_NOPLTEXIT;
    if (*from_cookie != NAKLAB_WATCHED) {
        return symbol->st_value;
    }
    record = begin_record(name, begin_ns);
    delay_ns = strcmp(name, held_symbol) == 0 ? atomic_load(&page->delay_ns) : 0;
    if (delay_ns > 0) {
        sleep_until(begin_ns + (delay_ns < NAKLAB_MAX_DELAY_NS ? delay_ns : NAKLAB_MAX_DELAY_NS));
    }
    if (record != NULL) {
        record->held_up = delay_ns > 0;
        atomic_store_explicit(&record->end_ns, monotonic_ns(), memory_order_release);
    }
    return symbol->st_value;
}
