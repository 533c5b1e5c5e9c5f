package org.naklab.lab.instruments.sockets;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.linux.Libc;
import org.naklab.lab.instruments.linux.NativeMemory;
import org.naklab.lab.instruments.sampling.MonitoredSocket;
import org.naklab.lab.instruments.sampling.SocketIdentity;

/**
 * Questions that a socket answers to whoever holds a descriptor of it. One thread.
 *
 * <pre>
 * SO_MEMINFO, 32-bit words: 0 rmem_alloc  1 rcvbuf  2 wmem_alloc  3 sndbuf  4 fwd_alloc  5 wmem_queued  6 optmem  7 backlog  8 drops
 *
 * sockaddr_in   0 family:16  2 port:16 (network order)  4 address:32
 * sockaddr_in6  0 family:16  2 port:16 (network order)  4 flowinfo:32  8 address:128  24 scope:32
 * </pre>
 */
final class SocketOptions {
    private static final int MEMINFO_LENGTH = 9 * Integer.BYTES;
    private static final int ADDRESS_LENGTH = 28;

    private final NativeMemory value = new NativeMemory(64);
    private final NativeMemory length = new NativeMemory(Integer.BYTES);
    private final UnsafeBuffer words = value.view();

    /** Reads the memory figures and drops into the socket; false when the descriptor is bad. No allocation. */
    boolean readMemory(int descriptor, MonitoredSocket socket) {
        length.view().putInt(0, MEMINFO_LENGTH);
        int result = Libc.getsockopt(descriptor, Libc.SOL_SOCKET, Libc.SO_MEMINFO, value.address(), length.address());
        if (result != 0) {
            return false;
        }
        socket.update(unsigned(0), unsigned(1), unsigned(2), unsigned(8));
        return true;
    }

    /** Returns the kernel's number of a socket, which no other socket gets; 0 if the descriptor is none. No allocation. */
    long cookie(int descriptor) {
        length.view().putInt(0, Long.BYTES);
        int result = Libc.getsockopt(descriptor, Libc.SOL_SOCKET, Libc.SO_COOKIE, value.address(), length.address());
        return result == 0 ? words.getLong(0) : 0;
    }

    /** Returns the inode of the socket behind a descriptor of this process; {@link ProcessSockets#MISSING} if it is none. */
    static long inode(int descriptor) {
        try {
            return ProcessSockets.inodeOf(Path.of("/proc/self/fd", Integer.toString(descriptor)));
        } catch (IOException e) {
            throw new DetectException("cannot read own descriptor " + descriptor + ": " + e.getMessage(), e);
        }
    }

    /** Returns whether a descriptor is a UDP socket over IPv4 or IPv6. */
    boolean isUdp(int descriptor) {
        int domain = option(descriptor, Libc.SO_DOMAIN);
        return (domain == Libc.AF_INET || domain == Libc.AF_INET6)
                && option(descriptor, Libc.SO_TYPE) == Libc.SOCK_DGRAM
                && option(descriptor, Libc.SO_PROTOCOL) == Libc.IPPROTO_UDP;
    }

    /** Returns the address to which the socket is bound. */
    SocketIdentity identify(int descriptor, long inode) {
        length.view().putInt(0, ADDRESS_LENGTH);
        if (Libc.getsockname(descriptor, value.address(), length.address()) != 0) {
            throw new DetectException("cannot ask socket " + inode + " for its address: " + Libc.lastError());
        }
        boolean ipv6 = words.getShort(0) == Libc.AF_INET6;
        byte[] address = new byte[ipv6 ? 16 : 4];
        words.getBytes(ipv6 ? 8 : 4, address);
        int port = Short.toUnsignedInt(words.getShort(2, ByteOrder.BIG_ENDIAN));
        return new SocketIdentity(inode, ipv6, numeric(address), port);
    }

    static String numeric(byte[] address) {
        try {
            return InetAddress.getByAddress(address).getHostAddress();
        } catch (UnknownHostException wrongLength) {
            throw new IllegalArgumentException(wrongLength);
        }
    }

    private int option(int descriptor, int name) {
        length.view().putInt(0, Integer.BYTES);
        int result = Libc.getsockopt(descriptor, Libc.SOL_SOCKET, name, value.address(), length.address());
        return result == 0 ? words.getInt(0) : -1;
    }

    private long unsigned(int word) {
        return Integer.toUnsignedLong(words.getInt(word * Integer.BYTES));
    }
}
