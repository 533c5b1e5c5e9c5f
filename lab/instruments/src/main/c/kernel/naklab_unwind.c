#define _GNU_SOURCE
#include "naklab_unwind.h"

#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>
#include "naklab_time.h"

enum { MAX_READS = 192, MEMORY_SLOTS = 512, NAME_SLOTS = 1024 };

static const unsigned long long REFRESH_NS = 500000000;

struct word {
    Dwarf_Addr address;
    Dwarf_Word value;
};

/*
 * A thread that waits in a loop has the same stack again and again. Unwinding read these words of it: if they and the
 * registers are the same, so is the result.
 */
struct memory {
    unsigned int tid;
    unsigned long long regs[REGISTERS];
    size_t reads;
    struct word words[MAX_READS];
    struct stack stack;
};

struct unwinder {
    int pid;
    Dwfl *dwfl;
    bool attached;
    unsigned long long reported_ns;
    const struct absence *absence;
    bool outside; /* a word beyond the copy was asked for */
    struct memory *current;
    struct memory *memories[MEMORY_SLOTS];
    /*
     * Frames that were named before, by their address; one without a file, until the next report. libdw looks at every symbol of a file for the nearest one, and a JVM's
     * library has tens of thousands.
     */
    struct frame *names[NAME_SLOTS];
};

static const char VDSO[] = "[vdso]";

/* libdw tells its callbacks of no process. */
static int current_pid;

static foreign_opener *opener = open_foreign;

void unwinders_open_by(foreign_opener *with)
{
    opener = with;
}

/* The kernel gives all processes the same one. It is in this program's memory, so that nothing of another's memory has to be read. */
static Elf *vdso(void)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *) getauxval(AT_SYSINFO_EHDR);
    elf_version(EV_CURRENT);
    return header ? elf_memory((char *) header, header->e_shoff + (size_t) header->e_shnum * header->e_shentsize) : NULL;
}

/* libdw's own search would open whatever has that name. */
static int find_elf(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base, char **file, Elf **elf)
{
    (void) module, (void) userdata, (void) base;
    int fd = name[0] == '/' ? opener(FOREIGN_FILE, current_pid, name) : -1;
    if (fd >= 0)
        *file = strdup(name);
    else if (strcmp(name, VDSO) == 0)
        *elf = vdso();
    return fd;
}

/*
 * A file without symbols of its own may have them in a file that a package for debugging installs, by build-id: in the process's file system, or in
 * the recorder's. Nothing else is searched: libdw's own search may go to the network.
 */
static int find_debuginfo(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base, const char *file, const char *link, GElf_Word crc, char **found)
{
    (void) userdata, (void) name, (void) base, (void) file, (void) link, (void) crc;
    const unsigned char *id;
    GElf_Addr address;
    char path[256];
    int length = dwfl_module_build_id(module, &id, &address);
    if (length < 2 || length > 32)
        return -1;
    int end = snprintf(path, sizeof path, "%s%02x/", DEBUG_FILES, id[0]);
    for (int k = 1; k < length; k++)
        end += snprintf(path + end, sizeof path - (size_t) end, "%02x", id[k]);
    snprintf(path + end, sizeof path - (size_t) end, ".debug");
    int fd = opener(FOREIGN_FILE, current_pid, path);
    if (fd < 0)
        fd = opener(OWN_FILE, current_pid, path);
    if (fd >= 0)
        *found = strdup(path);
    return fd;
}

static const Dwfl_Callbacks CALLBACKS = {.find_elf = find_elf, .find_debuginfo = find_debuginfo};

static pid_t next_thread(Dwfl *dwfl, void *argument, void **thread)
{
    (void) dwfl;
    struct unwinder *unwinder = argument;
    if (*thread)
        return 0;
    *thread = unwinder;
    return (pid_t) unwinder->absence->task.tid;
}

static bool get_thread(Dwfl *dwfl, pid_t tid, void *argument, void **thread)
{
    (void) dwfl, (void) tid;
    *thread = argument;
    return true;
}

static bool copied_word(const struct absence *absence, Dwarf_Addr address, Dwarf_Word *word)
{
    Dwarf_Addr from = absence->regs[AT_SP];
    if (address < from || address - from + sizeof *word > absence->stack_bytes)
        return false;
    memcpy(word, absence->stack + (address - from), sizeof *word);
    return true;
}

static bool read_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *word, void *argument)
{
    (void) dwfl;
    struct unwinder *unwinder = argument;
    if (!copied_word(unwinder->absence, address, word)) {
        unwinder->outside = true;
        return false;
    }
    struct memory *memory = unwinder->current;
    if (memory->reads < MAX_READS) {
        memory->words[memory->reads].address = address;
        memory->words[memory->reads].value = *word;
    }
    memory->reads++;
    return true;
}

static bool set_registers(Dwfl_Thread *thread, void *argument)
{
    const struct unwinder *unwinder = argument;
    const unsigned long long *regs = unwinder->absence->regs;
#if defined(__x86_64__)
    static const int order[] = {AT_AX, AT_DX, AT_CX, AT_BX, AT_SI, AT_DI, AT_BP, AT_SP, AT_R8, AT_R9, AT_R10, AT_R11, AT_R12, AT_R13, AT_R14, AT_R15, AT_IP};
    enum { COUNT = sizeof order / sizeof *order };
    Dwarf_Word values[COUNT];
    for (int i = 0; i < COUNT; i++)
        values[i] = regs[order[i]];
#else
    /* DWARF has the order of the kernel, and no number for the program counter. */
    enum { COUNT = AT_SP + 1 };
    Dwarf_Word values[COUNT];
    for (int i = 0; i < COUNT; i++)
        values[i] = regs[i];
    dwfl_thread_state_register_pc(thread, regs[AT_IP]);
#endif
    return dwfl_thread_state_registers(thread, 0, COUNT, values);
}

static const Dwfl_Thread_Callbacks THREADS = {.next_thread = next_thread, .get_thread = get_thread, .memory_read = read_memory, .set_initial_registers = set_registers};

/* Of libstdc++; NULL where the program is built without. */
__attribute__((weak)) char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

/* NULL for a name that is not one of C++. */
static char *demangled(const char *name)
{
    int status;
    return __cxa_demangle && strncmp(name, "_Z", 2) == 0 ? __cxa_demangle(name, NULL, NULL, &status) : NULL;
}

/* Without the version that a file's own table of symbols has, as in "read@@GLIBC_2.2.5". */
static void put_symbol(struct frame *frame, const char *name)
{
    char *unversioned = strndup(name, strcspn(name, "@"));
    char *plain = unversioned ? demangled(unversioned) : NULL;
    snprintf(frame->symbol, sizeof frame->symbol, "%s", plain ? plain : unversioned ? unversioned : name);
    free(plain);
    free(unversioned);
}

static void forget_names(struct unwinder *unwinder, bool all)
{
    for (int i = 0; i < NAME_SLOTS; i++) {
        if (unwinder->names[i] && (all || unwinder->names[i]->module[0] == '\0')) {
            free(unwinder->names[i]);
            unwinder->names[i] = NULL;
        }
    }
}

static void name_frame(struct unwinder *unwinder, struct frame *frame, Dwarf_Addr pc, bool is_return_address)
{
    memset(frame, 0, sizeof *frame);
    frame->address = pc;
    Dwarf_Addr asked = is_return_address ? pc - 1 : pc;
    Dwfl_Module *module = dwfl_addrmodule(unwinder->dwfl, asked);
    if (!module)
        return;
    const char *name = dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    snprintf(frame->module, sizeof frame->module, "%s", name ? name : "");
    GElf_Off offset;
    GElf_Sym symbol;
    const char *function = dwfl_module_addrinfo(module, asked, &offset, &symbol, NULL, NULL, NULL);
    if (function) {
        put_symbol(frame, function);
        frame->offset = offset + (is_return_address ? 1 : 0);
    }
}

/* Whether the address is a return address or not changes its name only at the begin of a function, where no call returns to. */
static void add_frame(struct unwinder *unwinder, Dwarf_Addr pc, bool is_return_address)
{
    struct stack *stack = &unwinder->current->stack;
    struct frame *frame = &stack->frames[stack->count++];
    struct frame **known = &unwinder->names[pc % NAME_SLOTS];
    if (*known && (*known)->address == pc) {
        *frame = **known;
        return;
    }
    name_frame(unwinder, frame, pc, is_return_address);
    if (!*known)
        *known = malloc(sizeof **known);
    if (*known)
        **known = *frame;
}

static int on_frame(Dwfl_Frame *state, void *argument)
{
    struct unwinder *unwinder = argument;
    Dwarf_Addr pc;
    bool is_activation;
    if (!dwfl_frame_pc(state, &pc, &is_activation) || unwinder->current->stack.count == USER_FRAMES)
        return DWARF_CB_ABORT;
    add_frame(unwinder, pc, !is_activation);
    return DWARF_CB_OK;
}

/*
 * libdw takes consecutive mappings of one file for one module. A process may have a library twice, side by side: dlmopen() and LD_AUDIT load a C library of their
 * own. Every second copy gets another inode number here; libdw only compares it. A copy begins where the offset in the file returns to 0.
 */
static char *maps_of(int pid, Dwarf_Addr *vdso, Dwarf_Addr *vdso_end)
{
    char *text = NULL, *line = NULL, *last = NULL;
    size_t length = 0, line_length = 0;
    unsigned long long last_offset = 0;
    bool second = false;
    int fd = opener(FOREIGN_MAPS, pid, "");
    FILE *maps = fd < 0 ? NULL : fdopen(fd, "r");
    FILE *copy = maps ? open_memstream(&text, &length) : NULL;
    while (copy && getline(&line, &line_length, maps) > 0) {
        unsigned long long begin, end, offset, inode;
        char access[8], device[16];
        int at = 0;
        if (sscanf(line, "%llx-%llx %7s %llx %15s %llu%n", &begin, &end, access, &offset, device, &inode, &at) != 6)
            continue;
        const char *file = line + at; /* Blanks and a name, or only the end of the line. */
        if (strstr(file, " [vdso]")) {
            *vdso = begin;
            *vdso_end = end;
        }
        if (inode != 0) {
            bool is_same = last && strcmp(last, file) == 0;
            second = is_same && (offset == 0 && last_offset > 0 ? !second : second);
            last_offset = offset;
            free(last);
            last = strdup(file);
        }
        fprintf(copy, "%llx-%llx %s %llx %s %llu%s", begin, end, access, offset, device, inode + (inode != 0 && second ? 1ULL << 48 : 0), file);
    }
    if (copy)
        fclose(copy);
    if (maps)
        fclose(maps);
    free(line);
    free(last);
    return text;
}

static bool report_maps(struct unwinder *unwinder)
{
    Dwarf_Addr begin = 0, end = 0;
    char *text = maps_of(unwinder->pid, &begin, &end);
    FILE *maps = text && *text ? fmemopen(text, strlen(text), "r") : NULL;
    bool reported = maps && dwfl_linux_proc_maps_report(unwinder->dwfl, maps) == 0;
    if (maps)
        fclose(maps);
    free(text);
    return reported && (begin == 0 || dwfl_report_module(unwinder->dwfl, VDSO, begin, end));
}

static bool report(struct unwinder *unwinder)
{
    unwinder->reported_ns = now_ns();
    forget_names(unwinder, false);
    current_pid = unwinder->pid;
    dwfl_report_begin(unwinder->dwfl);
    bool reported = report_maps(unwinder);
    return dwfl_report_end(unwinder->dwfl, NULL, NULL) == 0 && reported;
}

struct unwinder *unwinder_open(int pid)
{
    struct unwinder *unwinder = calloc(1, sizeof *unwinder);
    if (!unwinder)
        return NULL;
    unwinder->pid = pid;
    unwinder->dwfl = dwfl_begin(&CALLBACKS);
    if (!unwinder->dwfl || !report(unwinder)) {
        unwinder_close(unwinder);
        return NULL;
    }
    return unwinder;
}

static bool is_same(const struct memory *memory, const struct absence *absence)
{
    if (memory->tid != absence->task.tid || memory->reads > MAX_READS || memcmp(memory->regs, absence->regs, sizeof memory->regs) != 0)
        return false;
    for (size_t i = 0; i < memory->reads; i++) {
        Dwarf_Word word;
        if (!copied_word(absence, memory->words[i].address, &word) || word != memory->words[i].value)
            return false;
    }
    return true;
}

static void unwind(struct unwinder *unwinder)
{
    struct memory *memory = unwinder->current;
    const struct absence *absence = unwinder->absence;
    memory->tid = absence->task.tid;
    memcpy(memory->regs, absence->regs, sizeof memory->regs);
    memory->reads = 0;
    memory->stack.count = 0;
    unwinder->outside = false;
    if (!unwinder->attached)
        unwinder->attached = dwfl_attach_state(unwinder->dwfl, NULL, unwinder->pid, &THREADS, unwinder);
    current_pid = unwinder->pid;
    if (unwinder->attached)
        dwfl_getthread_frames(unwinder->dwfl, (pid_t) absence->task.tid, on_frame, unwinder);
    if (memory->stack.count == 0)
        add_frame(unwinder, absence->regs[AT_IP], false);
    memory->stack.truncated = unwinder->outside && absence->stack_bytes == sizeof absence->stack;
}

const struct stack *unwinder_unwind(struct unwinder *unwinder, const struct absence *absence)
{
    struct memory **slot = &unwinder->memories[absence->task.tid % MEMORY_SLOTS];
    if (*slot && is_same(*slot, absence))
        return &(*slot)->stack;
    if (!*slot && !(*slot = calloc(1, sizeof **slot)))
        return NULL;
    unwinder->absence = absence;
    unwinder->current = *slot;
    unwind(unwinder);
    const struct stack *stack = &(*slot)->stack;
    /* A library that was loaded since is not known yet. Code that a JVM compiled never will be. */
    if (stack->frames[stack->count - 1].module[0] == '\0' && now_ns() - unwinder->reported_ns > REFRESH_NS && report(unwinder))
        unwind(unwinder);
    return stack;
}

void unwinder_close(struct unwinder *unwinder)
{
    for (int i = 0; i < MEMORY_SLOTS; i++)
        free(unwinder->memories[i]);
    forget_names(unwinder, true);
    if (unwinder->dwfl)
        dwfl_end(unwinder->dwfl);
    free(unwinder);
}

static int find_function(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base, void *argument)
{
    (void) userdata, (void) name, (void) base;
    const char *wanted = argument;
    int count = dwfl_module_getsymtab(module);
    for (int i = 0; i < count; i++) {
        GElf_Sym symbol;
        const char *function = dwfl_module_getsym(module, i, &symbol, NULL);
        if (function && strcmp(function, wanted) == 0 && symbol.st_shndx != SHN_UNDEF)
            return DWARF_CB_ABORT;
    }
    return DWARF_CB_OK;
}

bool resolves_own(const char *function)
{
    struct unwinder *unwinder = unwinder_open(getpid());
    if (!unwinder)
        return false;
    bool found = dwfl_getmodules(unwinder->dwfl, find_function, (void *) (size_t) function, 0) != 0;
    unwinder_close(unwinder);
    return found;
}
