package org.naklab.lab.containers.relay;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import org.naklab.lab.core.LabException;
import org.naklab.lab.instruments.linux.Libc;

/** A network interface whose wire is this process: what is sent by it is read here, and what is written here it receives. */
final class Tap {
    private static final String DEVICE = "/dev/net/tun";
    /** {@code _IOW('T', 202, int)}, the same on x86-64 and aarch64. */
    private static final long TUNSETIFF = 0x400454caL;

    private static final short IFF_TAP = 2;
    private static final short IFF_NO_PI = 0x1000;
    /** {@code struct ifreq}: 16 bytes of name, then the flags. */
    private static final int REQUEST_BYTES = 40;

    private static final int NAME_BYTES = 16;
    private static final int LONGEST_FRAME = 1 << 16;

    private final int fd;
    private final Memory in = new Memory(LONGEST_FRAME);
    private final Memory out = new Memory(LONGEST_FRAME);

    private Tap(int fd) {
        this.fd = fd;
    }

    /** Becomes the wire of an interface that is there. It stays so until the process ends. */
    static Tap attach(String name) {
        int fd = Libc.open(DEVICE, Libc.O_RDWR);
        try (Memory request = new Memory(REQUEST_BYTES)) {
            request.clear();
            request.setString(0, name, "US-ASCII");
            request.setShort(NAME_BYTES, (short) (IFF_TAP | IFF_NO_PI));
            if (fd < 0 || Libc.ioctl(fd, TUNSETIFF, Pointer.nativeValue(request)) < 0) {
                throw new LabException("no tap " + name + ": " + Libc.lastError());
            }
        }
        return new Tap(fd);
    }

    /** Waits for the next frame; by one thread only. */
    byte[] take() {
        long length = Libc.read(fd, Pointer.nativeValue(in), LONGEST_FRAME);
        if (length < 0) {
            throw new LabException("the tap cannot be read: " + Libc.lastError());
        }
        return in.getByteArray(0, (int) length);
    }

    /** Writes a frame. Not thread-safe. */
    void give(byte[] frame) {
        out.write(0, frame, 0, frame.length);
        if (Libc.write(fd, Pointer.nativeValue(out), frame.length) != frame.length) {
            throw new LabException("the tap cannot be written: " + Libc.lastError());
        }
    }
}
