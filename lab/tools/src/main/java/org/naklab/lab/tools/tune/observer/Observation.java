package org.naklab.lab.tools.tune.observer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.naklab.faults.guard.Guard;
import org.naklab.files.PrivateDirectory;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.kernel.KernelRecord;
import org.naklab.lab.instruments.kernel.KernelRecorder;
import org.naklab.lab.instruments.kernel.RecorderSettings;
import org.naklab.lab.instruments.kernel.RecorderSource;
import org.naklab.lab.instruments.trace.TraceRing;
import org.naklab.lab.tools.linking.LibraryProfiler;

/** Observes one run of a program. What was recorded is counted and thrown away: only what it costs the program matters. */
public abstract sealed class Observation implements AutoCloseable {
    /** Waits for a line, so that nothing of the program runs before it is observed; without one, because its starter has died, it ends. */
    private static final List<String> WAIT = List.of("sh", "-c", "read -r unused && exec \"$@\"", "sh");

    private static final List<String> AT_ONCE = List.of();

    private Observation() {}

    /**
     * Begins with what must be there before the program is.
     *
     * @throws LabException the level is not available here; the message says why
     */
    public static Observation begin(ObservationLevel level) {
        return switch (level) {
            case NONE -> new Unobserved();
            case PROC -> new Recorded(RecorderSource.PROC, Units.MS_NS, 0);
            case RECORDS -> new Recorded(RecorderSource.BPF, Recorded.SHORT_NS, 0);
            case STACKS -> new Recorded(RecorderSource.BPF, Recorded.SHORT_NS, Recorded.PAGES);
            case TRACE -> new Traced();
            case CALLS -> new Hooked();
            case JFR -> new FlightRecorded();
        };
    }

    /** Returns the beginning of the program's command; if it is not empty, the program waits for a line on its input. */
    public List<String> waiting() {
        return AT_ONCE;
    }

    /** Changes how the program is started; by default, it does not. */
    public void prepare(ProcessBuilder builder) {}

    /**
     * Observes a process from now on, which waits for its line; what observes a program by its start, or all of the machine, has nothing to do.
     *
     * @throws LabException it cannot be observed
     */
    public void attach(long pid) {}

    /**
     * Returns in a few words what was recorded until the program ended; empty: nothing was, so that it was not observed.
     *
     * @throws LabException what observed it has failed
     */
    public abstract String end(long pid);

    @Override
    public void close() {}

    /** Observes nothing. */
    private static final class Unobserved extends Observation {
        @Override
        public String end(long pid) {
            return "nothing observed it";
        }
    }

    /** Records by the kernel recorder, which follows the process through {@code exec}. */
    private static final class Recorded extends Observation {
        private static final long SHORT_NS = 10 * Units.US_NS;
        /** Of the user stack that is copied at each switch. */
        private static final int PAGES = 2;

        private final AtomicLong records = new AtomicLong();
        private final KernelRecorder recorder;
        private volatile String failure = "";
        private boolean isClosed;

        Recorded(RecorderSource source, long leastNs, int stackPages) {
            recorder = KernelRecorder.start(
                    source,
                    List.of(),
                    new RecorderSettings(leastNs, leastNs, stackPages, false, List.of()).withInterrupts(leastNs),
                    this::take);
        }

        private void take(KernelRecord kernelRecord) {
            if (kernelRecord instanceof KernelRecord.RecorderEnd end) {
                failure = end.reason();
            } else {
                records.incrementAndGet();
            }
        }

        @Override
        public List<String> waiting() {
            return WAIT;
        }

        @Override
        public void attach(long pid) {
            if (!recorder.add(pid)) {
                throw new DetectException("the process " + pid + " has ended before it was observed");
            }
        }

        @Override
        public String end(long pid) {
            close();
            if (!failure.isEmpty()) {
                throw new DetectException("the recorder has failed: " + failure);
            }
            return "records of its threads: " + Format.count(records.get());
        }

        @Override
        public void close() {
            if (!isClosed) {
                isClosed = true;
                recorder.close();
            }
        }
    }

    /** Has the kernel trace all CPUs. */
    private static final class Traced extends Observation {
        private final Guard guard = new Guard();
        private final TraceRing ring;

        Traced() {
            try {
                ring = TraceRing.start(
                        EnumSet.noneOf(TimelineEventType.class),
                        List.of(),
                        () -> false,
                        (what, command) -> guard.toRun(what, command)::kept);
            } catch (DetectException e) {
                guard.close();
                throw e;
            }
        }

        @Override
        public String end(long pid) {
            return ring.describe();
        }

        @Override
        public void close() {
            try (guard) {
                ring.close();
            }
        }
    }

    /** Has files while the program runs. */
    private abstract static sealed class Filed extends Observation {
        private final PrivateDirectory directory;

        Filed() {
            try {
                directory = PrivateDirectory.create(Path.of(System.getProperty("java.io.tmpdir")), "naklab-observe-");
            } catch (IOException e) {
                throw new LabException("cannot make a directory for temporary files: " + e.getMessage(), e);
            }
        }

        Path directory() {
            return directory.path();
        }

        @Override
        public void close() {
            try {
                directory.close();
            } catch (IOException e) {
                throw new LabException("cannot delete " + directory.path() + ": " + e.getMessage(), e);
            }
        }
    }

    /** Hooks the calls of libraries. */
    private static final class Hooked extends Filed {
        private final LibraryProfiler.Hooks hooks;

        Hooked() {
            try {
                hooks = new LibraryProfiler(directory(), directory()).hooks();
            } catch (LabException e) {
                close();
                throw e;
            }
        }

        @Override
        public void prepare(ProcessBuilder builder) {
            hooks.enter(builder);
        }

        @Override
        public String end(long pid) {
            long calls = hooks.calls(pid);
            return calls == 0 ? "" : Format.count(calls) + " calls of library functions";
        }
    }

    /** Starts JFR with the JVM. */
    private static final class FlightRecorded extends Filed {
        private static final String OPTIONS = "JAVA_TOOL_OPTIONS";

        private final Path recording = directory().resolve("recording.jfr");

        @Override
        public void prepare(ProcessBuilder builder) {
            builder.environment()
                    .merge(
                            OPTIONS,
                            "-XX:StartFlightRecording=settings=profile,dumponexit=true,filename=" + recording,
                            (others, own) -> others + " " + own);
        }

        @Override
        public String end(long pid) {
            try {
                return Files.exists(recording) ? Format.bytes(Files.size(recording)) + " of JFR" : "";
            } catch (IOException e) {
                throw new LabException("the recording of JFR cannot be read: " + e.getMessage(), e);
            }
        }
    }
}
