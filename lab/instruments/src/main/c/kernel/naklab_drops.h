/* Datagrams that the kernel dropped, and records that were lost. */
#ifndef NAKLAB_DROPS_H
#define NAKLAB_DROPS_H

void read_reasons(void);

void put_drops(void);

void put_losses(void);

#endif
