package org.naklab.lab.instruments.jvm;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.naklab.lab.core.OutputFile;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.linux.ForeignFile;

/**
 * A JFR recording in another JVM, started and stopped by {@code jcmd}. It keeps the last minute, in chunks that the other JVM writes into
 * its repository: tens of megabytes at the most, however long it goes on.
 */
final class RemoteRecording implements AutoCloseable {
    private static final long END_TIMEOUT_S = 10;

    private static final String ASK_CONFIGURATION = "JFR.configure";

    /** A JVM before Java 21 hangs up on a command of more than 1,024 characters, its own words included. */
    private static final int MAX_COMMAND_CHARACTERS = 1_000;

    private static final String MAX_AGE = "maxage=60s";

    private static final String MAX_SIZE = "maxsize=24M";

    /** JFR keeps whole chunks, of 12 MiB each if not told otherwise. */
    private static final long MAX_DUMP_BYTES = 256L << 20;

    private final long pid;
    /** Names of the recordings. All write into the same chunks, so that a dump of the first has the events of all. */
    private final List<String> names;

    private final Path repository;
    private final int user;
    private boolean isLeft;

    private RemoteRecording(long pid, List<String> names, Path repository, int user) {
        this.pid = pid;
        this.names = List.copyOf(names);
        this.repository = repository;
        this.user = user;
    }

    /**
     * Starts one with just these events enabled.
     *
     * @param events each with the shortest that is recorded
     * @param samples events that are made periodically, each with its period
     * @throws DetectException the process is no JVM of Java 17 or later, or may not be attached to
     */
    static RemoteRecording start(long pid, Map<String, Duration> events, Map<String, Duration> samples) {
        requireJvm(pid);
        return start(pid, List.of(), events, samples);
    }

    /** The same, with its chunks in a directory of ours, which the other JVM can write. */
    static RemoteRecording start(
            long pid, Path directory, Map<String, Duration> events, Map<String, Duration> samples) {
        requireJvm(pid);
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new DetectException("cannot make " + directory + ": " + e.getMessage(), e);
        }
        return start(pid, List.of("JFR.configure repositorypath=" + quoted(directory)), events, samples);
    }

    /**
     * Starts all by one {@code jcmd} if they are short enough, because each is a JVM to be started. Where the repository is, is known after the first
     * recording has begun.
     */
    private static RemoteRecording start(
            long pid, List<String> before, Map<String, Duration> events, Map<String, Duration> samples) {
        String name = "naklab-" + ProcessHandle.current().pid();
        List<String> lines = new ArrayList<>(before);
        List<String> names = new ArrayList<>(List.of(name));
        StringJoiner begin = begin(name);
        for (Map.Entry<String, Duration> event : events.entrySet()) {
            String settings = settings(event.getKey(), event.getValue());
            if (begin.length() + 1 + settings.length() > MAX_COMMAND_CHARACTERS) {
                lines.add(begin.toString());
                names.add(name + "-" + names.size());
                begin = begin(names.get(names.size() - 1));
            }
            begin.add(settings);
        }
        lines.add(begin.toString());
        if (!samples.isEmpty()) {
            names.add(name + "-samples");
            StringJoiner sampling = begin(name + "-samples");
            samples.forEach((event, period) -> sampling.add(enabled(event)).add(setting(event, "period", period)));
            lines.add(sampling.toString());
        }
        lines.add(ASK_CONFIGURATION);
        StringBuilder answers = new StringBuilder();
        try {
            for (String command : joined(lines)) {
                answers.append(Jcmd.ask(pid, List.of(command)));
            }
        } catch (DetectException e) {
            stopBegun(pid, names, e);
            throw e;
        }
        return new RemoteRecording(pid, names, repositoryIn(answers.toString(), pid), userOf(pid));
    }

    /** One that was begun before the others failed would go on in the other JVM. */
    private static void stopBegun(long pid, List<String> names, DetectException failure) {
        boolean isInterrupted = Thread.interrupted();
        try {
            String unused = Jcmd.ask(pid, List.of(stopOf(names)));
        } catch (DetectException e) {
            failure.addSuppressed(e);
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static String stopOf(List<String> names) {
        return names.stream().map(name -> "JFR.stop name=" + name).collect(Collectors.joining("\n"));
    }

    private static int userOf(long pid) {
        try {
            return ForeignFile.userOf(pid);
        } catch (IOException e) {
            throw new DetectException("process " + pid + " has ended: " + e.getMessage(), e);
        }
    }

    /** Joins as many lines to a command as a JVM before Java 21 accepts. */
    static List<String> joined(List<String> lines) {
        List<String> commands = new ArrayList<>();
        for (String line : lines) {
            int last = commands.size() - 1;
            if (last >= 0 && commands.get(last).length() + 1 + line.length() <= MAX_COMMAND_CHARACTERS) {
                commands.set(last, commands.get(last) + '\n' + line);
            } else {
                commands.add(line);
            }
        }
        return commands;
    }

    private static StringJoiner begin(String name) {
        return new StringJoiner(" ").add("JFR.start name=" + name + " settings=none " + MAX_AGE + ' ' + MAX_SIZE);
    }

    /**
     * Returns only what differs from JFR's defaults, which keeps the command short: a default is a threshold of 0, and the stack of some events.
     */
    private static String settings(String event, Duration threshold) {
        StringJoiner settings = new StringJoiner(" ").add(enabled(event));
        if (!threshold.isZero()) {
            settings.add(setting(event, "threshold", threshold));
        }
        if (JvmInstrument.wantsStack(event)) {
            settings.add('+' + event + '#' + JvmInstrument.STACK_TRACE + "=true");
        }
        return settings.toString();
    }

    private static String enabled(String event) {
        return '+' + event + "#enabled=true";
    }

    private static String setting(String event, String setting, Duration value) {
        boolean isWhole = value.equals(Duration.ofMillis(value.toMillis()));
        return '+' + event + '#' + setting + '=' + (isWhole ? value.toMillis() + "ms" : value.toNanos() + "ns");
    }

    /** Asking one that is none might end it: the request to attach is a signal. */
    private static void requireJvm(long pid) {
        try {
            if (!isJvm(pid)) {
                throw new DetectException("no safepoints and collections: process " + pid + " is no JVM");
            }
        } catch (IOException e) {
            throw new DetectException("cannot read the mappings of process " + pid + ": " + e.getMessage(), e);
        }
    }

    /** Returns whether a process has HotSpot mapped. */
    static boolean isJvm(long pid) throws IOException {
        try (Stream<String> lines = Files.lines(ProcPaths.of(pid, "maps"))) {
            return lines.anyMatch(line -> line.endsWith("/libjvm.so"));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /**
     * Writes out what the recording has of a time; the other JVM halts for a moment meanwhile.
     *
     * @throws DetectException it has nothing of it, or has ended
     */
    void dump(Path file, Instant from, Instant to) {
        Path dumped = repository.resolve(unguessed());
        Jcmd.ask(
                pid,
                List.of(
                        "JFR.dump",
                        "name=" + names.get(0),
                        "filename=" + quoted(dumped),
                        "begin=" + from,
                        "end=" + to));
        try (OutputStream out = OutputFile.create(file)) {
            take(dumped, out);
        } catch (IOException e) {
            throw new DetectException("no JFR of the window: " + e.getMessage(), e);
        }
    }

    /** Takes a file of a recording, which is deleted afterwards. */
    interface Reader {
        void read(Path file) throws IOException;
    }

    /**
     * Dumps all that JFR has, to be read.
     *
     * @throws DetectException the process has ended, or the file cannot be read
     */
    void dump(Reader reader) {
        Path dumped = repository.resolve(unguessed());
        Jcmd.ask(pid, List.of("JFR.dump", "name=" + names.get(0), "filename=" + quoted(dumped)));
        read(dumped, reader);
    }

    private void read(Path dumped, Reader reader) {
        try {
            Path copy = Files.createTempFile("naklab-", ".jfr");
            try {
                try (OutputStream out = Files.newOutputStream(copy)) {
                    take(dumped, out);
                }
                reader.read(copy);
            } finally {
                Files.delete(copy);
            }
        } catch (IOException | RuntimeException e) {
            // The other process wrote it, and JFR's parser checks little.
            throw new DetectException("cannot read JFR of process " + pid + ": " + e.getMessage(), e);
        }
    }

    /** The process says where its files are: what is there is taken only if it is a file of its own user. */
    private void take(Path dumped, OutputStream out) throws IOException {
        Path file = ForeignFile.reachable(pid, dumped);
        ForeignFile.copy(file, user, MAX_DUMP_BYTES, out);
        Files.delete(file);
    }

    /** No file of ours has such a name, whatever directory the process has named. */
    private static String unguessed() {
        return "naklab-" + UUID.randomUUID() + ".jfr";
    }

    /**
     * Proves that the repository holds only files of the process's user. JFR opens by name what is there, so a pipe would hold it for good.
     *
     * @throws DetectException it holds something else
     */
    void requireFiles() {
        try {
            ForeignFile.requireFilesIn(repository(), ".jfr", user);
        } catch (NoSuchFileException | DirectoryIteratorException removedMeanwhile) {
            // JFR deletes chunks that are too old.
        } catch (IOException e) {
            throw new DetectException("no JFR of process " + pid + ": " + e.getMessage(), e);
        }
    }

    /** As this process reaches it. */
    Path repository() {
        return ForeignFile.reachable(pid, repository);
    }

    /** The other JVM is about to end, and its recording with it: one that is asked anything meanwhile takes seconds to end. */
    void leave() {
        isLeft = true;
    }

    @Override
    public void close() {
        close(file -> {});
    }

    /** Ends the recording, and reads all that JFR has; nothing of a process that has ended. */
    void close(Reader reader) {
        boolean isGone = isLeft && endsWithin(END_TIMEOUT_S);
        if (!isGone && isAlive()) {
            stop(reader);
        }
    }

    private boolean isAlive() {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    /** A process that ends just then takes its recording with it. */
    private void stop(Reader reader) {
        Path dumped = repository.resolve(unguessed());
        try {
            Jcmd.ask(
                    pid,
                    List.of(names.stream()
                            .map(name -> "JFR.stop name=" + name
                                    + (name.equals(names.get(0)) ? " filename=" + quoted(dumped) : ""))
                            .collect(Collectors.joining("\n"))));
            read(dumped, reader);
        } catch (DetectException e) {
            if (endsWithin(END_TIMEOUT_S)) {
                return;
            }
            throw e;
        }
    }

    private boolean endsWithin(long timeoutS) {
        try {
            ProcessHandle.of(pid).ifPresent(process -> process.onExit()
                    .completeOnTimeout(process, timeoutS, TimeUnit.SECONDS)
                    .join());
        } catch (IllegalStateException e) {
            // The current process cannot be waited for.
            return false;
        }
        return !isAlive();
    }

    /** JFR makes the repository anew when the first recording starts: told before, it was another. */
    private static Path repositoryIn(String answer, long pid) {
        return answer.lines()
                .filter(line -> line.startsWith("Repository path:"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .filter(path -> path.startsWith("/") && path.chars().noneMatch(Character::isISOControl))
                .reduce((earlier, later) -> later)
                .map(Path::of)
                .orElseThrow(() -> new DetectException(
                        "process " + pid + " does not name its JFR repository: " + Jcmd.shortened(answer)));
    }

    /** As the other JVM takes a path with blanks in it. */
    private static String quoted(Path path) {
        return '"' + path.toString() + '"';
    }
}
