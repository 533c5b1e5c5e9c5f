package org.naklab.lab.cli;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small NASDAQ TotalView-ITCH 5.0 file, byte by byte after the specification: orders come, trade and go. */
final class ItchFileBuilder {
    private static final int LOCATE = 7;
    private static final long NS_PER_EVENT = 1_000_000;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);
    private long timestampNs = 34_200_000_000_000L;
    private long events;

    /** As many orders; every second one executes in part, every third one goes. */
    ItchFileBuilder orders(int count) throws IOException {
        for (int i = 1; i <= count; i++) {
            add(i);
            if (i % 2 == 0) {
                execute(i);
            }
            if (i % 3 == 0) {
                delete(i);
            }
        }
        return this;
    }

    /** Tells how many events are in the file. */
    long write(Path file) throws IOException {
        Files.write(file, bytes.toByteArray());
        return events;
    }

    private void add(long orderId) throws IOException {
        header('A', 36);
        out.writeLong(orderId);
        out.writeByte(orderId % 2 == 0 ? 'B' : 'S');
        out.writeInt(100);
        out.write("NAKL    ".getBytes(StandardCharsets.US_ASCII));
        out.writeInt((int) (orderId % 2 == 0 ? 1_000_000 - orderId * 100 : 1_000_100 + orderId * 100));
    }

    private void execute(long orderId) throws IOException {
        header('E', 31);
        out.writeLong(orderId);
        out.writeInt(40);
        out.writeLong(events);
    }

    private void delete(long orderId) throws IOException {
        header('D', 19);
        out.writeLong(orderId);
    }

    private void header(char type, int length) throws IOException {
        events++;
        timestampNs += NS_PER_EVENT;
        out.writeShort(length);
        out.writeByte(type);
        out.writeShort(LOCATE);
        out.writeShort(0);
        out.writeShort((int) (timestampNs >>> 32));
        out.writeInt((int) timestampNs);
    }
}
