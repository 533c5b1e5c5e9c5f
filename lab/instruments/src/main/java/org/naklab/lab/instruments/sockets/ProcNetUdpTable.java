package org.naklab.lab.instruments.sockets;

import java.nio.file.Path;
import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.instruments.linux.AsciiScanner;
import org.naklab.lab.instruments.linux.ProcFile;

/**
 * Reads {@code /proc/PID/net/udp} or {@code udp6}, the sockets of the process's network namespace, without allocation. One
 * thread. The cost grows with every socket of the namespace: the kernel prints them all.
 *
 * <pre>
 *   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
 *  123: 0100007F:61A8 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 4711 2 0000000000000000 0
 * </pre>
 */
final class ProcNetUdpTable implements AutoCloseable {
    /** The kernel hands out a page of whole lines at a time. */
    private static final int CHUNK_BYTES = 64 * 1024;

    private static final int WORDS_FROM_STATE_TO_INODE = 5;

    private final ProcFile file;
    private final boolean ipv6;
    private final AsciiScanner scanner;

    /** Receives the rows, or those of a port. */
    interface RowHandler {
        /** Returns whether the rest of a row with this port must be read. */
        default boolean wants(int localPort) {
            return true;
        }

        /** Handles a row; {@code addressOffset} is the position of its local address in {@code text}, in hexadecimal. */
        void onRow(
                UnsafeBuffer text,
                int addressOffset,
                int localPort,
                long txBytes,
                long rxBytes,
                long inode,
                long drops);
    }

    private ProcNetUdpTable(ProcFile file, boolean ipv6) {
        this.file = file;
        this.ipv6 = ipv6;
        scanner = new AsciiScanner(file.view());
    }

    static ProcNetUdpTable open(long pid, boolean ipv6) {
        return new ProcNetUdpTable(ProcFile.open(pathOf(pid, ipv6), CHUNK_BYTES), ipv6);
    }

    static Path pathOf(long pid, boolean ipv6) {
        return ProcPaths.of(pid, "net", ipv6 ? "udp6" : "udp");
    }

    boolean ipv6() {
        return ipv6;
    }

    /** Reads the whole table; false when the process is gone. */
    boolean read(RowHandler handler) {
        long offset = 0;
        int count = file.readAt(offset);
        boolean gone = count == ProcFile.GONE;
        while (count > 0) {
            int whole = endOfLastLine(count);
            scanner.reset(0, whole);
            if (offset == 0) {
                scanner.skipLine();
            }
            while (!scanner.atEnd()) {
                parseRow(handler);
            }
            offset += whole;
            count = whole == 0 ? 0 : file.readAt(offset);
        }
        return !gone;
    }

    private int endOfLastLine(int count) {
        int end = count;
        while (end > 0 && file.view().getByte(end - 1) != '\n') {
            end--;
        }
        return end;
    }

    private void parseRow(RowHandler handler) {
        scanner.skipWords(1).skipBlanks();
        int addressOffset = scanner.position();
        scanner.skipHexDigits();
        int localPort = (int) scanner.skipByte().nextHex();
        if (handler.wants(localPort)) {
            scanner.skipWords(2).skipBlanks();
            long txBytes = scanner.nextHex();
            long rxBytes = scanner.skipByte().nextHex();
            long inode = scanner.skipWords(WORDS_FROM_STATE_TO_INODE - 1).nextLong();
            long drops = scanner.skipWords(2).nextLong();
            handler.onRow(file.view(), addressOffset, localPort, txBytes, rxBytes, inode, drops);
        }
        scanner.skipLine();
    }

    @Override
    public void close() {
        file.close();
    }
}
