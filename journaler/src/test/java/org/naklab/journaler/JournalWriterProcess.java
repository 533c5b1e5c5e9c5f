package org.naklab.journaler;

import java.nio.file.Path;
import org.naklab.journaler.TestFeed.Message;

/** The main class of a child process that journals: a number of events, or without end until it is killed. */
public final class JournalWriterProcess {
    private static final int REPORT_EVERY = 1000;

    private JournalWriterProcess() {}

    /** Takes the directory, and the number of events when they are to end. */
    public static void main(String[] arguments) {
        Path directory = Path.of(arguments[0]);
        long events = arguments.length > 1 ? Long.parseLong(arguments[1]) : Long.MAX_VALUE;
        Message message = new TestFeed().messages(1, 1).get(0);
        try (Journal journal = Journal.create(new Journal.Context().directory(directory))) {
            long startNs = System.currentTimeMillis() * 1_000_000;
            for (long i = 1; i <= events; i++) {
                message.buffer().putLong(8, i);
                TestFeed.append(journal, message, startNs + i);
                if (i % REPORT_EVERY == 0) {
                    System.out.println(i);
                }
            }
        }
    }
}
