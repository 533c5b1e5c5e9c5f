package org.naklab.lab.scenarios.port;

import com.sun.jna.Native;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.LabException;

/**
 * A listening Unix socket of an abstract name (unix(7)). The name is no file: nobody can delete it or replace it by a link, every user
 * of a network namespace sees it, one process at a time has it, and the kernel takes it away when that process ends. Linux only.
 */
final class AbstractSocket implements AutoCloseable {
    private static final int AF_UNIX = 1;
    private static final int STREAM_NONBLOCKING_CLOSED_ON_EXEC = 1 | 0x800 | 0x80000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_PEERCRED = 17;
    private static final int EADDRINUSE = 98;
    /** Nobody accepts; each process that asks for the holder takes a place until the socket is closed. */
    private static final int BACKLOG = 1024;

    static {
        Native.register(AbstractSocket.class, "c");
    }

    private final int fd;

    private AbstractSocket(int fd) {
        this.fd = fd;
    }

    private static native int socket(int domain, int type, int protocol);

    private static native int bind(int fd, byte[] address, int length);

    private static native int listen(int fd, int backlog);

    private static native int connect(int fd, byte[] address, int length);

    private static native int getsockopt(int fd, int level, int name, int[] value, int[] length);

    private static native int close(int fd);

    private static native String strerror(int errno);

    /**
     * Takes a name.
     *
     * @return null when another socket has it
     * @throws LabException when the kernel refuses for another reason
     */
    static @Nullable AbstractSocket bind(String name) {
        int fd = open();
        byte[] address = address(name);
        if (bind(fd, address, address.length) == 0 && listen(fd, BACKLOG) == 0) {
            return new AbstractSocket(fd);
        }
        int errno = Native.getLastError();
        close(fd);
        if (errno == EADDRINUSE) {
            return null;
        }
        throw new LabException("cannot lock " + name + ": " + strerror(errno));
    }

    /** The process that listens at a name, as the kernel knows it; empty when it is gone or in another PID namespace. */
    static OptionalLong holder(String name) {
        int fd = open();
        try {
            byte[] address = address(name);
            int[] credentials = new int[3];
            boolean known = connect(fd, address, address.length) == 0
                    && getsockopt(fd, SOL_SOCKET, SO_PEERCRED, credentials, new int[] {3 * Integer.BYTES}) == 0;
            return known && credentials[0] != 0 ? OptionalLong.of(credentials[0]) : OptionalLong.empty();
        } finally {
            close(fd);
        }
    }

    @Override
    public void close() {
        close(fd);
    }

    private static int open() {
        int fd = socket(AF_UNIX, STREAM_NONBLOCKING_CLOSED_ON_EXEC, 0);
        if (fd < 0) {
            throw new LabException("cannot open a Unix socket: " + strerror(Native.getLastError()));
        }
        return fd;
    }

    /** {@code struct sockaddr_un}: the family, a zero byte, the name. */
    private static byte[] address(String name) {
        byte[] text = name.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(Short.BYTES + 1 + text.length)
                .order(ByteOrder.nativeOrder())
                .putShort((short) AF_UNIX)
                .put((byte) 0)
                .put(text)
                .array();
    }
}
