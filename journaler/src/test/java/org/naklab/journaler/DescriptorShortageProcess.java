package org.naklab.journaler;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.naklab.journaler.TestFeed.Message;

/**
 * The main class of a child process with a low limit of open files. It journals an event a second, of which each begins a file; then it takes every descriptor that
 * is left and journals on; then it lets go of them and journals on again.
 */
public final class DescriptorShortageProcess {
    /** Events of the first and of the last part, and files that each of them begins. */
    static final int FILES = 12;
    /** More than the blocks that were allocated when the descriptors ran out take. */
    static final int EVENTS_WITHOUT_DESCRIPTORS = 40_000;

    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private DescriptorShortageProcess() {}

    /** Takes the directory; ends with 1 if the descriptors did not run out. */
    public static void main(String[] arguments) throws IOException {
        List<Message> messages = new TestFeed().messages(5, 2 * FILES + EVENTS_WITHOUT_DESCRIPTORS);
        List<FileInputStream> taken = new ArrayList<>();
        try (Journal journal =
                Journal.create(TestFeed.context(Path.of(arguments[0])).rollPeriod(RollPeriod.SECOND))) {
            long timeNs = TestFeed.START_NS;
            for (int i = 0; i < messages.size(); i++) {
                boolean isShort = i >= FILES && i < FILES + EVENTS_WITHOUT_DESCRIPTORS;
                if (isShort) {
                    takeAll(taken);
                } else if (!taken.isEmpty()) {
                    release(taken);
                }
                timeNs += isShort ? SECOND_NS / 1_000 : SECOND_NS;
                TestFeed.append(journal, messages.get(i), timeNs);
            }
            TestFeed.append(journal, TestFeed.trailer(messages), timeNs);
        }
    }

    private static void takeAll(List<FileInputStream> taken) {
        try {
            while (true) {
                taken.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException none) {
            if (taken.isEmpty()) {
                throw new IllegalStateException("no descriptor could be taken", none);
            }
        }
    }

    private static void release(List<FileInputStream> taken) throws IOException {
        for (FileInputStream one : taken) {
            one.close();
        }
        taken.clear();
    }
}
