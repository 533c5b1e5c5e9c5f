package org.naklab.lab.instruments.jvm;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.timeline.ThreadEvent.JavaWait;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.instruments.linux.MonotonicConverter;
import org.naklab.lab.instruments.threads.ProcessThreads;
import org.naklab.lab.instruments.threads.WatchedThreads;

/** Reads from a recording of JFR the waits of threads that were not watched when it was made: those that woke the watched ones. */
public final class RecordedWaits {
    private RecordedWaits() {}

    /**
     * Reads the waits of some threads, with the labels that these have on the timeline.
     *
     * @param process whose JVM made the recording, as the timeline names it
     * @param labels of the threads: the name that the kernel keeps, or that with {@code #} and the thread's id
     * @param epochOffsetNs what to add to a time of the timeline for nanoseconds since 1970
     * @throws InputException the recording cannot be read
     */
    public static List<JavaWait> read(Path recording, String process, Set<String> labels, long epochOffsetNs) {
        WatchedThreads threads = WatchedThreads.of();
        labels.forEach(label -> threads.add(nameOf(label)));
        List<TimelineEvent> waits = new ArrayList<>();
        JvmWaitDetector detector = new JvmWaitDetector(
                process,
                threads,
                waits::add,
                new MonotonicConverter(() -> 0, () -> Instant.EPOCH.plusNanos(epochOffsetNs)));
        try (RecordingFile file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                if (JvmWaitDetector.EVENTS.contains(event.getEventType().getName())) {
                    detector.onWait(event);
                }
            }
        } catch (IOException | IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new InputException("cannot read " + recording + ": " + e.getMessage(), e);
        }
        return waits.stream()
                .flatMap(TimelineEvent.only(JavaWait.class))
                .flatMap(wait ->
                        labels.stream().filter(label -> isOf(wait, label)).map(wait::ofThread))
                .toList();
    }

    private static boolean isOf(JavaWait wait, String label) {
        String kept = ProcessThreads.kept(wait.thread());
        return label.equals(kept) || label.equals(kept + '#' + wait.ids().osThread());
    }

    private static String nameOf(String label) {
        int id = label.lastIndexOf('#');
        return id <= 0 ? label : label.substring(0, id);
    }
}
