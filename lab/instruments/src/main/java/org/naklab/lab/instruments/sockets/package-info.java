/** Measures the receive queues of UDP sockets, by pidfd, netlink or {@code /proc/net/udp}. */
@NullMarked
package org.naklab.lab.instruments.sockets;

import org.jspecify.annotations.NullMarked;
