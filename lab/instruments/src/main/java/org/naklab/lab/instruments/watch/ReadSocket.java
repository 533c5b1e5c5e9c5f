package org.naklab.lab.instruments.watch;

import java.util.Set;
import org.naklab.lab.instruments.sockets.SocketSummary;

/**
 * A UDP socket of a process and who reads it.
 *
 * @param threads labels of the threads that were seen waiting for it; empty: not known
 */
public record ReadSocket(SocketSummary socket, Set<String> threads) {}
