#define _GNU_SOURCE
#include "naklab_foreign.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A library of more bytes is none. */
#define MOST_BYTES (4LL << 30)

/*
 * The place is opened first, which waits for no FIFO and has no effect on a device; only a regular file of a bounded size is then opened itself, and only if it has that
 * inode; 0: whatever inode. Files of symbols may be links; what is mapped never is: a link with its name came later.
 */
static int open_regular(const char *path, unsigned long long inode, int follow)
{
    struct stat found;
    char link[64];
    int fd = -1;
    int place = open(path, O_PATH | O_CLOEXEC | follow);
    if (place < 0)
        return -1;
    if (!fstat(place, &found) && S_ISREG(found.st_mode) && found.st_size <= MOST_BYTES && (inode == 0 || found.st_ino == inode)) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", place);
        fd = open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    }
    close(place);
    return fd;
}

static int open_maps(int pid)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/maps", pid);
    return open(path, O_RDONLY | O_CLOEXEC);
}

/* Returns the inode of a file that the process has mapped; 0: of none. Who asks for another file has been taken over by one that it read. */
static unsigned long long inode_of(int pid, const char *name)
{
    int fd = open_maps(pid);
    FILE *maps = fd < 0 ? NULL : fdopen(fd, "r");
    char *line = NULL;
    size_t length = 0;
    unsigned long long inode = 0, found = 0;
    while (maps && found == 0 && getline(&line, &length, maps) > 0) {
        const char *file = strchr(line, '/');
        line[strcspn(line, "\n")] = '\0';
        if (file && strcmp(file, name) == 0 && sscanf(line, "%*s %*s %*s %*s %llu", &inode) == 1)
            found = inode;
    }
    free(line);
    if (maps)
        fclose(maps);
    return found;
}

static bool is_of_symbols(const char *name)
{
    return strncmp(name, DEBUG_FILES, strlen(DEBUG_FILES)) == 0 && !strstr(name, "/../");
}

int open_foreign(enum foreign what, int pid, const char *name)
{
    char path[MOST_NAME + 32];
    if (what == FOREIGN_MAPS)
        return open_maps(pid);
    if (what == OWN_FILE)
        return is_of_symbols(name) ? open_regular(name, 0, 0) : -1;
    int follow = is_of_symbols(name) ? 0 : O_NOFOLLOW;
    unsigned long long inode = follow ? inode_of(pid, name) : 0;
    if (inode == 0 && follow)
        return -1;
    snprintf(path, sizeof path, "/proc/%d/root%s", pid, name);
    int fd = open_regular(path, 0, follow);
    /* Of a process with another root in the recorder's file system, the kernel gives the recorder's names. */
    return fd < 0 && inode != 0 ? open_regular(name, inode, O_NOFOLLOW) : fd;
}
