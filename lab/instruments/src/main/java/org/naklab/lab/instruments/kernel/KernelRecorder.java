package org.naklab.lab.instruments.kernel;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.naklab.lab.core.timeline.DetectException;

/**
 * Records why threads of some processes stood still. It uses the best source that is available; for each better one it says why that
 * is not, and what to do. It ends with this JVM, however that ends.
 */
public final class KernelRecorder implements AutoCloseable {
    private final Backend backend;
    private final RecorderSource source;
    private final List<String> missing;

    private KernelRecorder(Backend backend, RecorderSource source, List<String> missing) {
        this.backend = backend;
        this.source = source;
        this.missing = List.copyOf(missing);
    }

    /**
     * Starts recording with the best source; returns when it records.
     *
     * @param pids processes on the host; those that are gone are skipped
     * @param listener receives all records, on a thread of the recorder
     */
    public static KernelRecorder start(
            Collection<Long> pids, RecorderSettings settings, KernelRecordListener listener) {
        return start(pids, source -> open(source, settings, listener));
    }

    /** Produces records of the processes that it is told. */
    interface Backend extends AutoCloseable {
        /** Returns when the process is followed, with its threads of now and those to come; false when there is none. */
        boolean add(long pid);

        void remove(long pid);

        /** Counts the arriving datagrams of another port; 0: of none. A backend that counts none does nothing. */
        default void watchPort(int port) {}

        /** Delivers soon all that it has recorded so far, with absences that are not over as open, and then a {@link KernelRecord.Alive}. */
        default void tell() {}

        /** Delivers what is complete, then the {@link KernelRecord.RecorderEnd}, and ends. */
        @Override
        void close();

        /** Does the same with what may be stuck: it is killed if it does not end in that time, s. */
        default void closeWithin(long timeoutS) {
            close();
        }
    }

    /** Opens one source, or throws a {@link DetectException} that says why it is not available. */
    @FunctionalInterface
    interface Opening {
        Backend open(RecorderSource source);
    }

    static KernelRecorder start(Collection<Long> pids, Opening opening) {
        List<String> missing = new ArrayList<>();
        for (RecorderSource source : RecorderSource.values()) {
            try {
                KernelRecorder recorder = new KernelRecorder(opening.open(source), source, missing);
                pids.forEach(recorder::add);
                return recorder;
            } catch (DetectException e) {
                missing.add(String.valueOf(e.getMessage()));
            }
        }
        throw new DetectException("no kernel recorder: " + String.join("; ", missing));
    }

    /**
     * Starts recording with one source.
     *
     * @throws DetectException that source is not available; the message says why and what to do
     */
    public static KernelRecorder start(
            RecorderSource source, Collection<Long> pids, RecorderSettings settings, KernelRecordListener listener) {
        KernelRecorder recorder = new KernelRecorder(open(source, settings, listener), source, List.of());
        pids.forEach(recorder::add);
        return recorder;
    }

    private static Backend open(RecorderSource source, RecorderSettings settings, KernelRecordListener listener) {
        return switch (source) {
            case BPF -> BpfRecorder.start(settings, listener);
            case PROC -> ProcRecorder.start(settings, listener);
        };
    }

    /**
     * Tries whether a source is available, by starting and ending it.
     *
     * @return empty if it is; otherwise why it is not and what to do, one line
     */
    public static String whyNot(RecorderSource source) {
        Backend opened;
        try {
            opened = open(source, RecorderSettings.DEFAULT, kernelRecord -> {});
        } catch (DetectException e) {
            return String.valueOf(e.getMessage());
        }
        opened.close();
        return "";
    }

    /**
     * Tries whether stacks name a function of this machine's C library or its dynamic linker.
     *
     * @throws DetectException the recorder's program is not available; the message says why and what to do
     */
    public static boolean resolves(String function) {
        return BpfProgram.resolves(function);
    }

    /** Returns the source in use. */
    public RecorderSource source() {
        return source;
    }

    /** Returns for each better source why it is not available and what to do. */
    public List<String> missing() {
        return missing;
    }

    /**
     * Records one more process: its threads and those that it starts later. Not to be called by the listener.
     *
     * @return false when there is no such process
     */
    public boolean add(long pid) {
        return backend.add(pid);
    }

    /** Records a process no longer. */
    public void remove(long pid) {
        backend.remove(pid);
    }

    /**
     * Counts the arriving datagrams of another port from now on. Its settings say that it may change.
     *
     * @param port 0: none
     * @throws DetectException the recorder has ended
     */
    public void watchPort(int port) {
        backend.watchPort(port);
    }

    /**
     * Asks for all that was recorded so far, with absences that are not over as open; a {@link KernelRecord.Alive} follows it.
     *
     * @throws DetectException the recorder has ended
     */
    public void tell() {
        backend.tell();
    }

    /** Does the same as {@link #close} with a recorder that has not answered for a while: it is killed if it does not end in that time, s. */
    public void closeWithin(long timeoutS) {
        backend.closeWithin(timeoutS);
    }

    /** Delivers what is complete, and absences that are not over as open; then ends. */
    @Override
    public void close() {
        backend.close();
    }
}
