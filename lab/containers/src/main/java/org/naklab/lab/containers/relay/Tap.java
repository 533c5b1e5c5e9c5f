package org.naklab.lab.containers.relay;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import org.naklab.lab.core.LabException;

/** A network interface whose wire is this process: what is sent by it is read here, and what is written here it receives. */
final class Tap {
    private static final String DEVICE = "/dev/net/tun";
    private static final int O_RDWR = 2;
    /** {@code _IOW('T', 202, int)}, the same on x86-64 and aarch64. */
    private static final long TUNSETIFF = 0x400454caL;

    private static final short IFF_TAP = 2;
    private static final short IFF_NO_PI = 0x1000;
    /** {@code struct ifreq}: 16 bytes of name, then the flags. */
    private static final int REQUEST_BYTES = 40;

    private static final int NAME_BYTES = 16;
    private static final int LONGEST_FRAME = 1 << 16;

    static {
        Native.register(Tap.class, "c");
    }

    private final int fd;
    private final Memory in = new Memory(LONGEST_FRAME);
    private final Memory out = new Memory(LONGEST_FRAME);

    private Tap(int fd) {
        this.fd = fd;
    }

    private static native int open(String path, int flags);

    private static native int ioctl(int fd, long request, long argument);

    private static native long read(int fd, long buffer, long count);

    private static native long write(int fd, long buffer, long count);

    private static native String strerror(int errno);

    /** Becomes the wire of an interface that is there. It stays so until the process ends. */
    static Tap attach(String name) {
        int fd = open(DEVICE, O_RDWR);
        try (Memory request = new Memory(REQUEST_BYTES)) {
            request.clear();
            request.setString(0, name, "US-ASCII");
            request.setShort(NAME_BYTES, (short) (IFF_TAP | IFF_NO_PI));
            if (fd < 0 || ioctl(fd, TUNSETIFF, com.sun.jna.Pointer.nativeValue(request)) < 0) {
                throw new LabException("no tap " + name + ": " + strerror(Native.getLastError()));
            }
        }
        return new Tap(fd);
    }

    /** Waits for the next frame; by one thread only. */
    byte[] take() {
        long length = read(fd, com.sun.jna.Pointer.nativeValue(in), LONGEST_FRAME);
        if (length < 0) {
            throw new LabException("the tap cannot be read: " + strerror(Native.getLastError()));
        }
        return in.getByteArray(0, (int) length);
    }

    /** Not for more than one thread at a time. */
    void give(byte[] frame) {
        out.write(0, frame, 0, frame.length);
        if (write(fd, com.sun.jna.Pointer.nativeValue(out), frame.length) != frame.length) {
            throw new LabException("the tap cannot be written: " + strerror(Native.getLastError()));
        }
    }
}
