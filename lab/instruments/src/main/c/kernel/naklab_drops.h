/* Datagrams that the kernel dropped, and records that were lost. */
#ifndef NAKLAB_DROPS_H
#define NAKLAB_DROPS_H

void read_reasons(void);

void put_drops(void);

/* The datagrams that arrived for the watched port, by sender: those whose count grew. */
void put_arrivals(void);

/* The datagrams that each socket of the watched port got: those whose count grew. */
void put_deliveries(void);

/* Tells the last counts of the port that was watched, and watches another one; 0: none. */
void watch_port(unsigned short port);

/* The threads that took datagrams from sockets since the last time. */
void put_receipts(void);

struct gap_record;

void put_gap(const struct gap_record *gap);

void put_losses(void);

#endif
