/* The BPF programs and their maps. */
#ifndef NAKLAB_PROGRAMS_H
#define NAKLAB_PROGRAMS_H

#include <stdbool.h>
#include "naklab_kernel.skel.h"

#define map_of(name) bpf_map__fd(programs->maps.name)

/* Opened by load_programs. */
extern struct naklab_kernel_bpf *programs;

struct limits {
    unsigned long long absence_ns;
    unsigned long long fault_ns;
    unsigned long long spell_ns;
    unsigned long long now_ns;
    unsigned long long gap_ns;       /* shorter gaps between datagrams of one sender are not reported */
    unsigned long long interrupt_ns; /* shorter interrupts are not reported; 0: none are */
    unsigned int stack_pages;
    unsigned int port;           /* in network order: datagrams for it are counted when they come in; 0: none */
    unsigned int named;          /* only the threads with a name in the map "names" have user stacks */
    unsigned int kernel_samples; /* samples of running threads have no user stack */
    unsigned int sampled;        /* whether stacks of running threads are sampled */
    unsigned int delivered;      /* whether the datagrams that reach each socket of the port are counted */
    unsigned int followed;       /* whether the port may change */
};

/* Ends the program if the kernel does not take them. */
void load_programs(const struct limits *limits);

void attach_programs(void);

/* Whether the kernel has tracepoints of page faults. */
bool are_faults_seen(void);

#endif
