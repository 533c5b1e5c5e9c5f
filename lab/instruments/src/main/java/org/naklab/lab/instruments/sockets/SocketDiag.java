package org.naklab.lab.instruments.sockets;

import com.sun.jna.Native;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.linux.Libc;
import org.naklab.lab.instruments.linux.NativeMemory;
import org.naklab.lab.instruments.sampling.SocketIdentity;

/**
 * A netlink socket that answers for the UDP sockets of one network namespace. One thread; asking does not allocate.
 *
 * <pre>
 *  0 length:32  4 type:16  6 flags:16  8 sequence:32  12 port:32                                         nlmsghdr
 * 16 family:8  17 state:8  18 timer:8  19 retransmits:8                                                  inet_diag_msg
 * 20 source port:16  22 destination port:16 (network order)  24 source[16]  40 destination[16]  56 interface:32  60 cookie[8]
 * 68 expires:32  72 rqueue:32  76 wqueue:32  80 uid:32  84 inode:32
 * 88 attributes, each: length:16  type:16  value, padded to 4
 * </pre>
 */
final class SocketDiag implements AutoCloseable {
    static final int INODE_OFFSET = 84;
    private static final int NETLINK_SOCK_DIAG = 4;
    private static final int NLMSG_ERROR = 2;
    private static final int NLMSG_DONE = 3;
    private static final int ATTRIBUTES_OFFSET = 88;

    private final NativeMemory answer = new NativeMemory(32 * 1024);
    private final UnsafeBuffer buffer = answer.view();
    private final int fd;

    /** Receives what was asked for; valid during the call. */
    interface AnswerHandler {
        /** Handles a socket: its {@code inet_diag_msg} header is at offset + 16, its SKMEMINFO words at {@code memory}. */
        void onSocket(UnsafeBuffer message, int offset, int memory);
    }

    private SocketDiag(int fd) {
        this.fd = fd;
    }

    /** Opens a socket in the network namespace of the calling thread. */
    static SocketDiag open() {
        int fd = Libc.socket(Libc.AF_NETLINK, Libc.SOCK_DGRAM | Libc.SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
        if (fd < 0) {
            throw new DetectException("netlink sock_diag: " + Libc.lastError());
        }
        return new SocketDiag(fd);
    }

    void ask(SocketDiagRequest request, AnswerHandler handler) {
        if (Libc.send(fd, request.address(), request.length(), 0) < 0) {
            throw new DetectException("netlink sock_diag request: " + Libc.lastError());
        }
        boolean more = true;
        while (more) {
            long count = Libc.recv(fd, answer.address(), answer.length(), 0);
            if (count >= 0) {
                more = parse((int) count, handler);
            } else if (Native.getLastError() != Libc.EINTR) {
                throw new DetectException("netlink sock_diag answer: " + Libc.lastError());
            }
        }
    }

    /** Parses the answers; returns false after the last message. */
    private boolean parse(int count, AnswerHandler handler) {
        int length;
        for (int offset = 0; offset + 16 <= count; offset += (length + 3) & ~3) {
            length = buffer.getInt(offset);
            int type = Short.toUnsignedInt(buffer.getShort(offset + 4));
            if (type == NLMSG_DONE) {
                return false;
            } else if (type == NLMSG_ERROR) {
                throw new DetectException("netlink sock_diag: " + Libc.strerror(-buffer.getInt(offset + 16)));
            } else if (type == SocketDiagRequest.SOCK_DIAG_BY_FAMILY) {
                int memory = findMemory(offset + ATTRIBUTES_OFFSET, offset + length);
                if (memory != 0) {
                    handler.onSocket(buffer, offset, memory);
                }
            }
        }
        return true;
    }

    private int findMemory(int from, int end) {
        int length;
        for (int offset = from; offset + 4 <= end; offset += (length + 3) & ~3) {
            length = Short.toUnsignedInt(buffer.getShort(offset));
            if (buffer.getShort(offset + 2) == SocketDiagRequest.INET_DIAG_SKMEMINFO) {
                return offset + 4;
            }
            if (length < 4) {
                break;
            }
        }
        return 0;
    }

    static int localPort(UnsafeBuffer message, int offset) {
        return Short.toUnsignedInt(message.getShort(offset + 20, ByteOrder.BIG_ENDIAN));
    }

    static SocketIdentity identity(UnsafeBuffer message, int offset) {
        boolean ipv6 = message.getByte(offset + 16) == Libc.AF_INET6;
        byte[] address = new byte[ipv6 ? 16 : 4];
        message.getBytes(offset + 24, address);
        return new SocketIdentity(
                Integer.toUnsignedLong(message.getInt(offset + INODE_OFFSET)),
                ipv6,
                SocketOptions.numeric(address),
                localPort(message, offset));
    }

    @Override
    public void close() {
        Libc.close(fd);
    }
}
