package org.naklab.journaler;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.agrona.PrintBufferUtil;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.OrderEventCodec;

/** Prints a journal for people, one record a line, broken or not. */
public final class JournalDumper {
    private static final DateTimeFormatter RECEIVE_TIME = DateTimeFormatter.ofPattern(
                    "yyyy-MM-dd'T'HH:mm:ss.SSSSSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final OrderEventCodec codec = new OrderEventCodec();
    private final OrderEvent event = new OrderEvent();
    private final Appendable out;
    private long lines;

    private JournalDumper(Appendable out) {
        this.out = out;
    }

    /**
     * Prints the events of a range of sequences; the trailer counts as the sequence after its last.
     *
     * @param fromSequence the first to print
     * @param toSequence the last to print
     * @return the lines printed
     * @throws JournalException when the journal cannot be read, or the lines not be written
     */
    public static long dump(Path directory, long fromSequence, long toSequence, Appendable out) {
        JournalDumper dumper = new JournalDumper(out);
        JournalEntry entry = new JournalEntry();
        try (EntryReader reader = new EntryReader(directory)) {
            while (reader.next(entry)) {
                dumper.print(entry, fromSequence, toSequence);
            }
            return dumper.lines;
        } catch (InternalError e) {
            throw MappedWindow.unreadable(directory, e);
        } catch (IOException e) {
            throw new JournalException("cannot print journal " + directory + ": " + JournalDirectory.reason(e), e);
        }
    }

    private void print(JournalEntry entry, long fromSequence, long toSequence) throws IOException {
        long sequence = entry.kind().isJournaled() ? entry.sequence() : fromSequence;
        if (entry.isTrailer()) {
            sequence++;
        }
        if (sequence < fromSequence || sequence > toSequence) {
            return;
        }
        out.append(line(entry)).append('\n');
        lines++;
    }

    private String line(JournalEntry entry) {
        return switch (entry.kind()) {
            case EVENT ->
                entry.decode(codec, event) ? receiveTime(entry) + " " + event + damage(entry) : unreadable(entry);
            case TRAILER ->
                String.format(
                                "%s trailer count=%d digest=%08x",
                                receiveTime(entry), entry.sequence(), entry.trailerDigest())
                        + damage(entry);
            case HEARTBEAT, OTHER, MALFORMED -> unreadable(entry);
        };
    }

    private static String unreadable(JournalEntry entry) {
        return "unreadable record: " + PrintBufferUtil.hexDump(entry.message(), 0, entry.length());
    }

    private static String damage(JournalEntry entry) {
        return entry.isDamaged() ? " (damaged: does not fit its checksum)" : "";
    }

    private static String receiveTime(JournalEntry entry) {
        return RECEIVE_TIME.format(Instant.ofEpochSecond(0, entry.receiveTimestampNs()));
    }
}
