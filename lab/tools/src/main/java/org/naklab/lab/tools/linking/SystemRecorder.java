package org.naklab.lab.tools.linking;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.process.AskedProcess;

/**
 * Accounts the time of all programs that this process starts while it is open, or of a process that runs already, by BPF programs at the scheduler's
 * tracepoints and at those of system calls. Needs root.
 */
public final class SystemRecorder implements AutoCloseable {
    private static final String PROGRAM = "naklab-waits";
    private static final String REFUSAL = "no account of waits and system calls: ";
    private static final int PARTS = 8;

    private final AskedProcess process;

    /** A line of the program. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Ready.class, name = "ready"),
        @JsonSubTypes.Type(value = Refused.class, name = "error"),
        @JsonSubTypes.Type(value = ThreadLine.class, name = "thread"),
        @JsonSubTypes.Type(value = CallLine.class, name = "call"),
        @JsonSubTypes.Type(value = FutexLine.class, name = "futex"),
        @JsonSubTypes.Type(value = End.class, name = "end")
    })
    private sealed interface Line permits Ready, Refused, ThreadLine, CallLine, FutexLine, End {}

    private record Ready() implements Line {}

    private record Refused(String message) implements Line {}

    private record ThreadLine(int pid, int tid, String name, long lifeNs, List<Long> ns) implements Line {}

    private record CallLine(int number, String name, long calls, long errors, long totalNs, long longestNs, long awayNs)
            implements Line {}

    /**
     * Is the waits for one word while one thread held it.
     *
     * @param holder 0 if unknown; of a condition, the thread that ended the waits
     */
    record FutexLine(
            @JsonUnwrapped Locks.Word word,
            int holder,
            boolean isLock,
            long waits,
            long totalNs,
            long longestNs,
            int longestTid)
            implements Line {}

    private record End(long lost) implements Line {}

    private SystemRecorder(AskedProcess process) {
        this.process = process;
    }

    /** Returns whether this build can record. */
    public static boolean isAvailable() {
        return NativeProgram.exists(PROGRAM);
    }

    /**
     * Starts to record the programs that this process starts.
     *
     * @param files a directory from which programs may be executed
     * @throws UnavailableException the build has no recorder, or the kernel or the rights do not permit it: says why
     */
    public static SystemRecorder start(Path files) {
        return start(files, Long.toString(ProcessHandle.current().pid()));
    }

    /**
     * Starts to record a process that runs already, and the programs that it starts.
     *
     * @param files a directory from which programs may be executed
     * @throws UnavailableException the build has no recorder, or the kernel or the rights do not permit it: says why
     */
    public static SystemRecorder attach(Path files, long pid) {
        return start(files, "--process", Long.toString(pid));
    }

    private static SystemRecorder start(Path files, String... arguments) {
        Path program = NativeProgram.unpack(
                PROGRAM,
                files,
                REFUSAL + "the lab was built without its recorder;"
                        + " apt-get install clang bpftool libbpf-dev libelf-dev, then build again (x86-64 and aarch64)");
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        try {
            SystemRecorder recorder = new SystemRecorder(AskedProcess.start(
                    PROGRAM, new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT)));
            recorder.awaitReady();
            return recorder;
        } catch (LabException | UncheckedIOException e) {
            throw new UnavailableException(REFUSAL + e.getMessage(), e);
        }
    }

    private void awaitReady() {
        try {
            Line unused = read();
        } catch (LabException | UncheckedIOException e) {
            close();
            throw e;
        }
    }

    private Line read() {
        Line line = process.next(Line.class);
        if (line instanceof Refused refused) {
            throw new LabException(refused.message());
        }
        return line;
    }

    /** Ends the recording, and returns what it has counted. @throws LabException the recorder has died */
    public SystemAccount end() {
        process.endInput();
        try {
            List<SystemAccount.ThreadAccount> threads = new ArrayList<>();
            List<SystemAccount.SystemCall> calls = new ArrayList<>();
            List<FutexLine> futexes = new ArrayList<>();
            Line line = read();
            while (!(line instanceof End end)) {
                if (line instanceof ThreadLine thread) {
                    threads.add(account(thread));
                } else if (line instanceof CallLine call) {
                    calls.add(call(call));
                } else if (line instanceof FutexLine futex) {
                    futexes.add(futex);
                }
                line = read();
            }
            threads.sort(Comparator.comparingDouble(SystemAccount.ThreadAccount::seconds)
                    .reversed());
            calls.sort(Comparator.comparingDouble(
                            (SystemAccount.SystemCall each) -> each.times().seconds())
                    .reversed());
            return new SystemAccount(threads, calls, Locks.of(futexes, threads), Locks.conditions(futexes), end.lost());
        } catch (LabException | UncheckedIOException e) {
            throw new LabException("the recorder of waits failed: " + e.getMessage(), e);
        }
    }

    private static SystemAccount.ThreadAccount account(ThreadLine thread) {
        if (thread.ns().size() != PARTS) {
            throw new LabException("a thread has " + thread.ns().size() + " parts");
        }
        double[] seconds =
                thread.ns().stream().mapToDouble(ns -> ns / Units.NS_PER_S).toArray();
        return new SystemAccount.ThreadAccount(
                thread.name(),
                thread.pid(),
                thread.tid(),
                thread.lifeNs() / Units.NS_PER_S,
                new SystemAccount.Parts(
                        seconds[0],
                        seconds[1],
                        seconds[2],
                        seconds[3],
                        seconds[4],
                        seconds[5],
                        seconds[6],
                        seconds[7]));
    }

    private static SystemAccount.SystemCall call(CallLine call) {
        return new SystemAccount.SystemCall(
                call.name().isEmpty() ? "number " + call.number() : call.name(),
                call.calls(),
                call.errors(),
                new SystemAccount.SystemCall.Times(
                        call.totalNs() / Units.NS_PER_S,
                        call.totalNs() / Units.NS_PER_S / call.calls(),
                        call.longestNs() / Units.NS_PER_S,
                        call.awayNs() / Units.NS_PER_S,
                        Math.max(0, call.totalNs() - call.awayNs()) / Units.NS_PER_S));
    }

    /** Ends the recorder, if it has not ended. */
    @Override
    public void close() {
        process.close();
    }
}
