/* Gives up the rights that are not needed any more. They cannot be got back. */
#ifndef NAKLAB_CONFINE_H
#define NAKLAB_CONFINE_H

/*
 * Of the recorder, once its programs are attached. It stays able to read what belongs to other processes, to use the maps and to count events of threads. It can no longer
 * write to a file that is not open yet, start a program, open a socket, signal a process or load a BPF program.
 */
void confine_recorder(void);

/* Of the parser, before it sees anything of another process. It keeps no capability and can open nothing: it reads what it is given. */
void confine_parser(void);

/*
 * Returns how many system calls were refused since the last time, and says so on standard error: what they were to read is missing. Such a call fails with EPERM. What the
 * kernel does not support is said on standard error when it is asked for.
 */
int take_refusals(void);

#endif
