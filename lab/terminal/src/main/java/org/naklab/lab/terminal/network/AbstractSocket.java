package org.naklab.lab.terminal.network;

import com.sun.jna.Native;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.LabException;
import org.naklab.lab.instruments.linux.Libc;

/**
 * A listening Unix socket of an abstract name (unix(7)). The name is no file: nobody can delete it or replace it by a link, every user
 * of a network namespace sees it, one process at a time has it, and the kernel takes it away when that process ends. Linux only.
 */
final class AbstractSocket implements AutoCloseable {
    /** Nobody accepts; each process that asks for the holder takes a place until the socket is closed. */
    private static final int BACKLOG = 1024;

    private final int fd;

    private AbstractSocket(int fd) {
        this.fd = fd;
    }

    /**
     * Takes a name.
     *
     * @return null when another socket has it
     * @throws LabException when the kernel refuses for another reason
     */
    static @Nullable AbstractSocket bind(String name) {
        int fd = open();
        byte[] address = address(name);
        if (Libc.bind(fd, address, address.length) == 0 && Libc.listen(fd, BACKLOG) == 0) {
            return new AbstractSocket(fd);
        }
        int errno = Native.getLastError();
        Libc.close(fd);
        if (errno == Libc.EADDRINUSE) {
            return null;
        }
        throw new LabException("cannot lock " + name + ": " + Libc.strerror(errno));
    }

    /** The process that listens at a name, as the kernel knows it; empty when it is gone or in another PID namespace. */
    static OptionalLong holder(String name) {
        int fd = open();
        try {
            byte[] address = address(name);
            int[] credentials = new int[3];
            boolean known = Libc.connect(fd, address, address.length) == 0
                    && Libc.getsockopt(
                                    fd, Libc.SOL_SOCKET, Libc.SO_PEERCRED, credentials, new int[] {3 * Integer.BYTES})
                            == 0;
            return known && credentials[0] != 0 ? OptionalLong.of(credentials[0]) : OptionalLong.empty();
        } finally {
            Libc.close(fd);
        }
    }

    @Override
    public void close() {
        Libc.close(fd);
    }

    private static int open() {
        int fd = Libc.socket(Libc.AF_UNIX, Libc.SOCK_STREAM | Libc.SOCK_NONBLOCK | Libc.SOCK_CLOEXEC, 0);
        if (fd < 0) {
            throw new LabException("cannot open a Unix socket: " + Libc.lastError());
        }
        return fd;
    }

    /** {@code struct sockaddr_un}: the family, a zero byte, the name. */
    private static byte[] address(String name) {
        byte[] text = name.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(Short.BYTES + 1 + text.length)
                .order(ByteOrder.nativeOrder())
                .putShort((short) Libc.AF_UNIX)
                .put((byte) 0)
                .put(text)
                .array();
    }
}
