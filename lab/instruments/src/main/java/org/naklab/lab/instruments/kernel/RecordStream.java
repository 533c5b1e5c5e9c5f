package org.naklab.lab.instruments.kernel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.process.LineProcess;
import org.naklab.lab.core.timeline.DetectException;

/**
 * Delivers the lines of {@code naklab-kernel} as records, whether the program prints them now or they were kept. It is read by one thread; others may wait for the
 * program's answers.
 */
final class RecordStream implements LineProcess.Listener {
    private final boolean deferred;
    private final UnaryOperator<KernelRecord> places;
    private final KernelRecordListener listener;
    private final Consumer<String> lines;
    /** Records whose places are resolved at the end; the reading thread's own. */
    private final List<KernelRecord> held = new ArrayList<>();

    private final CompletableFuture<RecordParser.Ready> ready = new CompletableFuture<>();
    private final Map<Long, CompletableFuture<RecordParser.Added>> added = new ConcurrentHashMap<>();
    private volatile @Nullable DetectException ended;
    private volatile String whyGivenUp = "";
    /** Why the records are incomplete; empty if the program ended as it was told. One that is killed may end within a line. */
    private String reason = "the recorder's program ended by itself";
    /** A line that may be the beginning of one; empty: none. */
    private String cut = "";

    /**
     * Creates a stream.
     *
     * @param deferred whether absences and page faults are delivered at the end only
     * @param places adds to a record what only the living process can tell
     * @param lines receives each line before it is parsed
     */
    RecordStream(
            boolean deferred,
            UnaryOperator<KernelRecord> places,
            Consumer<String> lines,
            KernelRecordListener listener) {
        this.deferred = deferred;
        this.places = places;
        this.lines = lines;
        this.listener = listener;
    }

    /** Returns what is complete when the programs are attached; exceptionally complete when that will not be. */
    CompletableFuture<RecordParser.Ready> ready() {
        return ready;
    }

    /** Returns what is complete when a process is followed. It is to be called before that is asked for. */
    CompletableFuture<RecordParser.Added> expect(long pid) {
        CompletableFuture<RecordParser.Added> answer = new CompletableFuture<>();
        added.put(pid, answer);
        DetectException why = ended;
        if (why != null) {
            answer.completeExceptionally(why);
        }
        return answer;
    }

    /** Says why the records are incomplete, before the program is killed. */
    void giveUp(String why) {
        whyGivenUp = why;
    }

    /** @throws DetectException it is none of the program's */
    @Override
    public void onLine(String line) {
        if (cut.isEmpty() && !line.endsWith("}")) {
            cut = line;
        } else {
            take(cut.isEmpty() ? line : cut);
        }
    }

    private void take(String line) {
        lines.accept(line);
        Object message = RecordParser.parse(line);
        if (message instanceof RecordParser.End) {
            reason = "";
        } else if (message instanceof RecordParser.Unavailable unavailable) {
            reason = "no BPF recorder: " + unavailable.reason();
        } else {
            deliver(message);
        }
    }

    @Override
    public void onBroken(Exception why) {
        cut = "";
        reason = reasonOf(why);
    }

    /** A failure that nobody expected says what it is by its class alone. */
    private static String reasonOf(Exception why) {
        boolean isExpected =
                why instanceof LabException || why instanceof IOException || why instanceof UncheckedIOException;
        return isExpected ? String.valueOf(why.getMessage()) : "a record could not be read: " + why;
    }

    @Override
    public void onEnd() {
        if (!cut.isEmpty()) {
            reason = "the recorder's program was ended while it wrote a record";
        }
        end(whyGivenUp.isEmpty() ? reason : whyGivenUp);
    }

    private void deliver(Object message) {
        if (message instanceof RecordParser.Ready begun) {
            ready.complete(begun);
        } else if (message instanceof RecordParser.Added answer) {
            CompletableFuture<RecordParser.Added> asked = added.remove(answer.pid());
            if (asked != null) {
                asked.complete(answer);
            }
        } else {
            KernelRecord kernelRecord = (KernelRecord) message;
            if (deferred && (kernelRecord instanceof PageFaultSpan || kernelRecord instanceof Absence)) {
                held.add(kernelRecord);
            } else {
                listener.onRecord(places.apply(kernelRecord));
            }
        }
    }

    /** Delivers what was held back and, if the recording had begun, its end. All that was expected is told that it will not come. */
    private void end(String incomplete) {
        boolean hadBegun = ready.isDone();
        DetectException why =
                new DetectException(incomplete.isEmpty() ? "the kernel recorder was stopped" : incomplete);
        ended = why;
        ready.completeExceptionally(why);
        added.values().forEach(answer -> answer.completeExceptionally(why));
        held.sort(Comparator.comparingLong(KernelRecord::timeNs));
        String missing = incomplete;
        try {
            held.forEach(kernelRecord -> listener.onRecord(places.apply(kernelRecord)));
        } catch (RuntimeException e) {
            missing = reasonOf(e);
        }
        held.clear();
        if (hadBegun) {
            listener.onRecord(new KernelRecord.RecorderEnd(System.nanoTime(), missing));
        }
    }
}
