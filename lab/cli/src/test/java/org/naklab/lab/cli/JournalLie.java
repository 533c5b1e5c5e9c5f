package org.naklab.lab.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Damage to a journal that a run has finished, in the middle of its longest file; the framing is that of FORMAT.md. */
enum JournalLie {
    /** A record becomes metadata, which readers pass over. */
    EVENT_DROPPED {
        @Override
        void apply(ByteBuffer file, int record, int next) {
            file.putInt(record - Integer.BYTES, file.getInt(record - Integer.BYTES) | METADATA);
        }
    },
    /** A record is there twice, in place of the next. */
    EVENT_DUPLICATED {
        @Override
        void apply(ByteBuffer file, int record, int next) {
            file.put(next, content(file, record));
        }
    },
    EVENTS_SWAPPED {
        @Override
        void apply(ByteBuffer file, int record, int next) {
            byte[] first = content(file, record);
            file.put(record, content(file, next));
            file.put(next, first);
        }
    },
    /** The last byte of a message. */
    BYTE_CHANGED {
        @Override
        void apply(ByteBuffer file, int record, int next) {
            int last = record + MESSAGE_OFFSET + Byte.toUnsignedInt(file.get(record + COUNT_OFFSET)) - 2;
            file.put(last, (byte) (file.get(last) ^ 1));
        }
    };

    private static final int METADATA = 1 << 30;
    private static final int LENGTH_MASK = METADATA - 1;
    private static final byte[] RECORD = "\u00c4rxNs\u00a7".getBytes(StandardCharsets.ISO_8859_1);
    private static final int COUNT_OFFSET = 19;
    private static final int MESSAGE_OFFSET = 21;

    /** @param record where the content of a record begins, {@code next} that of the one after it, which is as long */
    abstract void apply(ByteBuffer file, int record, int next);

    /** Damages a journal's directory. */
    void apply(Path journal) throws IOException {
        try (Stream<Path> files = Files.list(journal)) {
            Path longest = files.filter(file -> file.toString().endsWith(".cq4"))
                    .max((a, b) -> Long.compare(a.toFile().length(), b.toFile().length()))
                    .orElseThrow();
            byte[] bytes = Files.readAllBytes(longest);
            ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            List<Integer> records = records(bytes);
            for (int i = records.size() / 2; i < records.size() - 2; i++) {
                if (length(file, records.get(i)) == length(file, records.get(i + 1))) {
                    apply(file, records.get(i), records.get(i + 1));
                    Files.write(longest, bytes);
                    return;
                }
            }
            throw new AssertionError("no two records of one length in " + longest);
        }
    }

    private static List<Integer> records(byte[] file) {
        List<Integer> records = new ArrayList<>();
        for (int i = Integer.BYTES; i + RECORD.length <= file.length; i += Integer.BYTES) {
            if (Arrays.equals(file, i, i + RECORD.length, RECORD, 0, RECORD.length)) {
                records.add(i);
            }
        }
        return records;
    }

    private static int length(ByteBuffer file, int record) {
        return file.getInt(record - Integer.BYTES) & LENGTH_MASK;
    }

    private static byte[] content(ByteBuffer file, int record) {
        byte[] content = new byte[length(file, record)];
        file.get(record, content);
        return content;
    }
}
