/*
 * The part of the sampler that runs up to a thousand times a second: sleeps until the next deadline, looks at the sockets, and goes back
 * to Java only when something is due, or a datagram was dropped. After a sleep everything that is touched is cold, so what
 * counts is to touch little.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <jni.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#ifndef SO_MEMINFO
#define SO_MEMINFO 55
#endif
#ifndef SO_COOKIE
#define SO_COOKIE 57
#endif
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif

enum { MEMINFO_RMEM_ALLOC = 0, MEMINFO_RCVBUF = 1, MEMINFO_WMEM_ALLOC = 2, MEMINFO_DROPS = 8, MEMINFO_WORDS = 9 };

/* Of the sockets whose queues are empty so many, and one in so many, are measured in each look, in turns. */
enum { QUIET_AT_ONCE = 8, QUIET_SHARE = 32 };

/* A poll_table whose looks take long is looked at for at most a quarter of the time. */
enum { REST_FACTOR = 3 };

enum { TIMERS = 2 };

/*
 * To wake up costs more than to look. After so many ticks in which no socket was uneasy, and nothing was to be told at once, the ticks are further apart. A socket that
 * holds more than its floor is uneasy, which is the one of SocketDepthDetector, and so is one that two looks show to hold datagrams and not to be read.
 */
enum { CALM_TICKS = 16, MIN_FLOOR = 4 * 1024, MAX_FLOOR = 32 * 1024, FLOOR_DIVISOR = 64 };

/* What a look finds. */
enum { ALARM = 1, UNEASY = 2 };

/* Java reads and writes these tables by the same offsets. */
#define SHARED "layout is shared with Java"
#define IS_AT(type, field, offset) _Static_assert(offsetof(struct type, field) == (offset), SHARED)

/* SampleTimer.java has the same table. */
struct ticks {
    int64_t deadline_ns; /* of the next tick; moved on */
    int64_t period_ns;
    int64_t max_ticks;
    int64_t alarm_lateness_ns; /* a tick so late is the last */
    int64_t now_ns;            /* out: of the last tick; ticks and the rest are of this call */
    int64_t ticks;
    int64_t missed;
    int64_t max_lateness_ns;
    int64_t max_late_deadline_ns;
    int64_t alarm;          /* out: a datagram was dropped, a word is to be heard, or there may be no room for another look */
    int64_t looks;          /* since the beginning */
    int64_t look_time_ns;   /* of all of them */
    int32_t timers[TIMERS]; /* to sleep on in turns; -1: there are none */
    int32_t turn;           /* whose is next */
    int32_t calm_periods;   /* between two ticks while all is calm; up to 1: as at other times */
    int64_t set_for_ns;     /* the deadline that the timer whose turn it is stands for */
    int32_t pace;           /* periods between two ticks; 0 is 1 */
    int32_t calm_ticks;     /* in a row */
};

IS_AT(ticks, deadline_ns, 0);
IS_AT(ticks, period_ns, 8);
IS_AT(ticks, max_ticks, 16);
IS_AT(ticks, alarm_lateness_ns, 24);
IS_AT(ticks, now_ns, 32);
IS_AT(ticks, ticks, 40);
IS_AT(ticks, missed, 48);
IS_AT(ticks, max_lateness_ns, 56);
IS_AT(ticks, max_late_deadline_ns, 64);
IS_AT(ticks, alarm, 72);
IS_AT(ticks, looks, 80);
IS_AT(ticks, look_time_ns, 88);
IS_AT(ticks, timers, 96);
IS_AT(ticks, timers[1], 100);
IS_AT(ticks, calm_periods, 108);
_Static_assert(sizeof(struct ticks) == 128, SHARED);

/* The kernel's own, which not every C library has a name for. */
struct scheduling {
    uint32_t size;
    uint32_t policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t slice_ns;
    uint64_t deadline_ns;
    uint64_t period_ns;
};

enum { GREATEST_WEIGHT_NICE = -20, RESET_ON_FORK = 1 };

struct figures {
    uint32_t depth;
    uint32_t limit;
    uint32_t tx_depth;
    uint32_t drops;
};

enum { UNKNOWN = 0, KNOWN = 1, GONE = -1 };

struct socket {
    int32_t descriptor; /* of its owner */
    int32_t state;
    uint64_t cookie;
    int64_t measured_ns;
    struct figures last;
};

struct record {
    int64_t time_ns;
    int64_t previous_ns; /* the measurement before, when the socket's figures were still the old ones */
    int32_t socket;
    struct figures figures;
    int32_t unused;
};

IS_AT(socket, descriptor, 0);
IS_AT(socket, state, 4);
IS_AT(socket, cookie, 8);
IS_AT(socket, measured_ns, 16);
_Static_assert(sizeof(struct socket) == 40, SHARED);

IS_AT(record, time_ns, 0);
IS_AT(record, previous_ns, 8);
IS_AT(record, socket, 16);
IS_AT(record, figures.depth, 20);
IS_AT(record, figures.limit, 24);
IS_AT(record, figures.tx_depth, 28);
IS_AT(record, figures.drops, 32);
_Static_assert(sizeof(struct record) == 40, SHARED);

/* SocketPollTable.java has the same table. The sockets follow, then the records. */
struct poll_table {
    int32_t sockets;
    int32_t capacity;
    int32_t records; /* until Java takes them */
    int32_t looks;   /* since then */
    int64_t last_look_ns;
    int64_t next_look_ns;
    int32_t pidfd; /* of the owner; -1: the owner is this process */
    int32_t turn;  /* the quiet socket that is measured next */
};

IS_AT(poll_table, sockets, 0);
IS_AT(poll_table, capacity, 4);
IS_AT(poll_table, records, 8);
IS_AT(poll_table, looks, 12);
IS_AT(poll_table, last_look_ns, 16);
IS_AT(poll_table, next_look_ns, 24);
IS_AT(poll_table, pidfd, 32);
_Static_assert(sizeof(struct poll_table) == 40, SHARED);

struct reading {
    int64_t time_ns;
    int64_t value;
};

/* ReadingBuffer.java has the same table. The readings follow. */
struct log {
    int64_t period_ns;
    int64_t next_ns;
    int32_t capacity;
    int32_t readings; /* until Java takes them */
};

IS_AT(log, period_ns, 0);
IS_AT(log, next_ns, 8);
IS_AT(log, capacity, 16);
IS_AT(log, readings, 20);
_Static_assert(sizeof(struct log) == 24, SHARED);
IS_AT(reading, time_ns, 0);
IS_AT(reading, value, 8);
_Static_assert(sizeof(struct reading) == 16, SHARED);

/*
 * A watched word of memory. Watchpoints.java has the same table. It ends a call
 * - if log is not 0, when the log has no room for a reading;
 * - or, if silence_ns is not 0, while the time that the word holds is older than silence_ns (never for INT64_MIN), and once after;
 * - or else when the word has changed.
 */
struct word {
    const int64_t *address;
    int64_t last;
    int64_t silence_ns;
    struct log *log;
};

IS_AT(word, address, 0);
IS_AT(word, last, 8);
IS_AT(word, silence_ns, 16);
IS_AT(word, log, 24);
_Static_assert(sizeof(struct word) == 32, SHARED);

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static struct timespec timespec_of(int64_t ns)
{
    return (struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
}

static void sleep_until(int64_t deadline_ns)
{
    struct timespec deadline = timespec_of(deadline_ns);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, NULL) == EINTR) {
    }
}

static void close_timers(struct ticks *ticks)
{
    for (int i = 0; i < TIMERS; i++) {
        if (ticks->timers[i] >= 0) {
            close(ticks->timers[i]);
        }
        ticks->timers[i] = -1;
    }
}

static int64_t step_ns(const struct ticks *ticks)
{
    return (ticks->pace > 1 ? ticks->pace : 1) * ticks->period_ns;
}

/* Each goes off at every second tick. */
static void set_timers(struct ticks *ticks)
{
    for (int i = 0; i < TIMERS; i++) {
        struct itimerspec times = {.it_interval = timespec_of(TIMERS * step_ns(ticks)), .it_value = timespec_of(ticks->deadline_ns + i * step_ns(ticks))};
        timerfd_settime(ticks->timers[i], TFD_TIMER_ABSTIME, &times, NULL);
    }
    ticks->turn = 0;
    ticks->set_for_ns = ticks->deadline_ns;
}

/*
 * To sleep is to set a timer, and one that is sooner than all others has the processor's clock set as well: twice for each tick, before it and
 * after, and under a hypervisor each time is dear. Of two timers that go off in turns the one that is set again is never the soonest.
 */
static void sleep_until_tick(struct ticks *ticks)
{
    if (ticks->timers[0] < 0) {
        sleep_until(ticks->deadline_ns);
        return;
    }
    if (ticks->set_for_ns != ticks->deadline_ns) {
        set_timers(ticks);
    }
    uint64_t expirations;
    ssize_t result;
    do {
        result = read(ticks->timers[ticks->turn], &expirations, sizeof expirations);
    } while (result < 0 && errno == EINTR);
    if (result != (ssize_t) sizeof expirations) {
        close_timers(ticks);
        sleep_until(ticks->deadline_ns);
        return;
    }
    ticks->turn = (ticks->turn + 1) % TIMERS;
    ticks->set_for_ns += step_ns(ticks);
}

/* Sets how far the next tick is from the last one. */
static void set_pace(struct ticks *ticks)
{
    int64_t before_ns = step_ns(ticks);
    int is_calm = ticks->calm_periods > 1 && ticks->calm_ticks >= CALM_TICKS;
    ticks->pace = is_calm ? ticks->calm_periods : 1;
    ticks->deadline_ns += step_ns(ticks) - before_ns;
}

static struct socket *sockets_of(struct poll_table *poll_table)
{
    return (struct socket *) (poll_table + 1);
}

static struct record *records_of(struct poll_table *poll_table)
{
    return (struct record *) (sockets_of(poll_table) + poll_table->sockets);
}

static int is_passing(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOMEM || error == EINTR;
}

/*
 * The duplicate lives for this one reading: a socket that its owner closes keeps its port and takes datagrams for as long as anybody has a
 * descriptor of it. Returns 0 if the owner's descriptor is no longer this socket.
 */
static int read_words(const struct poll_table *poll_table, const struct socket *socket, uint32_t *words)
{
    int descriptor = socket->descriptor;
    if (poll_table->pidfd >= 0) {
        descriptor = (int) syscall(SYS_pidfd_getfd, poll_table->pidfd, socket->descriptor, 0);
        if (descriptor < 0) {
            return is_passing(errno) ? -1 : 0;
        }
    }
    uint64_t cookie = 0;
    socklen_t cookie_length = sizeof cookie;
    socklen_t length = MEMINFO_WORDS * sizeof *words;
    int is_same = getsockopt(descriptor, SOL_SOCKET, SO_COOKIE, &cookie, &cookie_length) == 0 && cookie == socket->cookie
                  && getsockopt(descriptor, SOL_SOCKET, SO_MEMINFO, words, &length) == 0;
    if (poll_table->pidfd >= 0) {
        close(descriptor);
    }
    return is_same;
}

static int is_uneasy(const struct socket *socket, const struct figures *now)
{
    uint32_t floor = now->limit / FLOOR_DIVISOR;
    floor = floor < MIN_FLOOR ? MIN_FLOOR : floor > MAX_FLOOR ? MAX_FLOOR : floor;
    return now->depth > floor || (socket->state == KNOWN && socket->last.depth > 0 && now->depth >= socket->last.depth);
}

/* Java should be told at once when a datagram was dropped since the last look, or the socket was closed. */
static int measure(struct poll_table *poll_table, int32_t index, int64_t time_ns)
{
    struct socket *socket = sockets_of(poll_table) + index;
    uint32_t words[MEMINFO_WORDS];
    int result = read_words(poll_table, socket, words);
    if (result < 0) {
        return 0;
    }
    if (result == 0) {
        socket->state = GONE;
        return ALARM;
    }
    int64_t previous_ns = socket->state == KNOWN ? socket->measured_ns : time_ns;
    struct figures now = {words[MEMINFO_RMEM_ALLOC], words[MEMINFO_RCVBUF], words[MEMINFO_WMEM_ALLOC], words[MEMINFO_DROPS]};
    socket->measured_ns = time_ns;
    int found = is_uneasy(socket, &now) ? UNEASY : 0;
    if (socket->state == KNOWN && memcmp(&now, &socket->last, sizeof now) == 0) {
        return found;
    }
    struct record *record = records_of(poll_table) + poll_table->records++;
    record->time_ns = time_ns;
    record->previous_ns = previous_ns;
    record->socket = index;
    record->figures = now;
    if (socket->state == KNOWN && now.drops != socket->last.drops) {
        found |= ALARM;
    }
    socket->last = now;
    socket->state = KNOWN;
    return found;
}

/* Another look might find no room for its records. */
static int is_full(const struct poll_table *poll_table)
{
    return poll_table->capacity - poll_table->records < poll_table->sockets;
}

static int is_quiet(const struct socket *socket)
{
    return socket->state == KNOWN && socket->last.depth == 0 && socket->last.tx_depth == 0;
}

/* Whether the turn has come to a quiet socket; the turns go round. */
static int has_turn(const struct poll_table *poll_table, int32_t index, int32_t turns)
{
    int32_t distance = index - poll_table->turn;
    return (distance >= 0 ? distance : distance + poll_table->sockets) < turns;
}

/* Returns what was found. */
static int look(struct poll_table *poll_table, int64_t time_ns, int full)
{
    if (is_full(poll_table)) {
        return ALARM;
    }
    struct socket *sockets = sockets_of(poll_table);
    int32_t turns = QUIET_AT_ONCE + poll_table->sockets / QUIET_SHARE;
    int found = 0;
    for (int32_t i = 0; i < poll_table->sockets; i++) {
        if (sockets[i].state != GONE && (full || !is_quiet(sockets + i) || has_turn(poll_table, i, turns))) {
            found |= measure(poll_table, i, time_ns);
        }
    }
    poll_table->turn = poll_table->sockets > 0 ? (poll_table->turn + turns) % poll_table->sockets : 0;
    poll_table->looks++;
    poll_table->last_look_ns = time_ns;
    return is_full(poll_table) ? found | ALARM : found;
}

/* Whether there is no room for another. */
static int append(struct log *log, int64_t time_ns, const int64_t *address)
{
    if (log->readings < log->capacity && time_ns - log->next_ns >= 0) {
        struct reading *reading = (struct reading *) (log + 1) + log->readings++;
        reading->time_ns = time_ns;
        reading->value = __atomic_load_n(address, __ATOMIC_RELAXED);
        log->next_ns += ((time_ns - log->next_ns) / log->period_ns + 1) * log->period_ns;
    }
    return log->readings == log->capacity;
}

static int is_to_be_heard(struct word *word, int64_t time_ns)
{
    if (word->log != NULL) {
        return append(word->log, time_ns, word->address);
    }
    int64_t value = __atomic_load_n(word->address, __ATOMIC_RELAXED);
    if (word->silence_ns != 0) {
        int silent = value != INT64_MIN && time_ns - value >= word->silence_ns;
        int was_silent = (int) word->last;
        word->last = silent;
        return silent || was_silent;
    }
    int changed = value != word->last;
    word->last = value;
    return changed;
}

static void note(struct ticks *ticks, int64_t time_ns)
{
    int64_t lateness_ns = time_ns - ticks->deadline_ns;
    int64_t missed = lateness_ns / step_ns(ticks);
    if (lateness_ns > ticks->max_lateness_ns) {
        ticks->max_lateness_ns = lateness_ns;
        ticks->max_late_deadline_ns = ticks->deadline_ns;
    }
    ticks->now_ns = time_ns;
    ticks->ticks++;
    ticks->missed += missed;
    ticks->deadline_ns += (missed + 1) * step_ns(ticks);
    ticks->alarm |= lateness_ns >= ticks->alarm_lateness_ns;
}

JNIEXPORT void JNICALL Java_org_naklab_lab_instruments_linux_NativeSampler_await(
    JNIEnv *env, jclass type, jlong ticks_address, jlong panels_address, jint poll_tables, jlong words_address, jint words)
{
    struct ticks *ticks = (struct ticks *) (intptr_t) ticks_address;
    const int64_t *addresses = (const int64_t *) (intptr_t) panels_address;
    struct word *word = (struct word *) (intptr_t) words_address;
    (void) env;
    (void) type;
    ticks->ticks = ticks->missed = ticks->max_lateness_ns = ticks->alarm = 0;
    int64_t periods = 0;
    do {
        set_pace(ticks);
        sleep_until_tick(ticks);
        periods += step_ns(ticks) / ticks->period_ns;
        int found = 0;
        int64_t time_ns = now_ns();
        note(ticks, time_ns);
        int64_t begin_ns = time_ns;
        for (jint i = 0; i < poll_tables; i++) {
            struct poll_table *poll_table = (struct poll_table *) (intptr_t) addresses[i];
            if (time_ns - poll_table->next_look_ns >= 0) {
                found |= look(poll_table, time_ns, 0);
                int64_t end_ns = now_ns();
                int64_t took_ns = end_ns - begin_ns;
                begin_ns = end_ns;
                poll_table->next_look_ns = time_ns + REST_FACTOR * took_ns;
                ticks->looks++;
                ticks->look_time_ns += took_ns;
            }
        }
        for (jint i = 0; i < words; i++) {
            found |= is_to_be_heard(word + i, time_ns) ? ALARM : 0;
        }
        ticks->calm_ticks = found == 0 ? ticks->calm_ticks + (ticks->calm_ticks < CALM_TICKS) : 0;
        ticks->alarm |= (found & ALARM) != 0;
    } while (!ticks->alarm && periods < ticks->max_ticks);
}

/* Without descriptors to be had, all goes on without timers. */
JNIEXPORT void JNICALL Java_org_naklab_lab_instruments_linux_NativeSampler_openTimers(JNIEnv *env, jclass type, jlong ticks_address)
{
    struct ticks *ticks = (struct ticks *) (intptr_t) ticks_address;
    (void) env;
    (void) type;
    for (int i = 0; i < TIMERS; i++) {
        ticks->timers[i] = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
    }
    for (int i = 0; i < TIMERS; i++) {
        if (ticks->timers[i] < 0) {
            close_timers(ticks);
        }
    }
    ticks->set_for_ns = INT64_MIN;
}

JNIEXPORT void JNICALL Java_org_naklab_lab_instruments_linux_NativeSampler_closeTimers(JNIEnv *env, jclass type, jlong ticks_address)
{
    (void) env;
    (void) type;
    close_timers((struct ticks *) (intptr_t) ticks_address);
}

JNIEXPORT void JNICALL Java_org_naklab_lab_instruments_linux_NativeSampler_look(JNIEnv *env, jclass type, jlong panel_address, jlong time_ns)
{
    (void) env;
    (void) type;
    look((struct poll_table *) (intptr_t) panel_address, time_ns, 1);
}

/* A kernel without slices of a thread's own ignores the one that it is given, and tells of none. */
JNIEXPORT jint JNICALL Java_org_naklab_lab_instruments_linux_NativeSampler_shortenSlice(JNIEnv *env, jclass type, jlong slice_ns)
{
    struct scheduling wanted = {.size = sizeof wanted, .flags = RESET_ON_FORK, .nice = GREATEST_WEIGHT_NICE, .slice_ns = (uint64_t) slice_ns};
    struct scheduling granted = {.size = sizeof granted};
    (void) env;
    (void) type;
    if (syscall(SYS_sched_setattr, 0, &wanted, 0) != 0 || syscall(SYS_sched_getattr, 0, &granted, sizeof granted, 0) != 0) {
        return errno;
    }
    return granted.slice_ns == wanted.slice_ns ? 0 : ENOTSUP;
}
