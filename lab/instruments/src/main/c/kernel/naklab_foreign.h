/* Opens files whose names another process chose. */
#ifndef NAKLAB_FOREIGN_H
#define NAKLAB_FOREIGN_H

enum { MOST_NAME = 4096 };

/* Where packages for debugging put the symbols of files, by build-id. */
#define DEBUG_FILES "/usr/lib/debug/.build-id/"

enum foreign {
    FOREIGN_MAPS, /* what the process has mapped; without a name */
    FOREIGN_FILE, /* as the process sees it: it may have a file system of its own */
    OWN_FILE,     /* of the recorder's file system: symbols alone */
};

/* Opens a file for reading; -1: there is none. */
typedef int foreign_opener(enum foreign what, int pid, const char *name);

/* Opens what the process has mapped, and files of symbols, if it is a regular file of a bounded size, and nothing else. */
foreign_opener open_foreign;

#endif
