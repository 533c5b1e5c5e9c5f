package org.naklab.lab.scenarios.inspection;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.KernelFields;
import org.naklab.lab.core.process.ProcPaths;

/** Reads from {@code /proc} what a process holds. A process that ends meanwhile gives no reading. */
final class ProcessReader {
    /** Beginnings of names of threads that the JVM starts and ends as it needs them. */
    private static final List<String> OF_THE_JVM = List.of(
            "C1 CompilerThre",
            "C2 CompilerThre",
            "GC Thread",
            "G1 ",
            "ForkJoinPool",
            "CompletableFutu",
            "Attach Listener",
            "process reaper",
            "JFR ",
            "Cleaner-",
            "Common-Cleaner",
            "Signal Dispatch");

    private static final String ANONYMOUS = "RssAnon";
    private static final long KIB = 1024;

    private final Path proc;
    private final @Nullable String journal;

    /** @param journal the directory of the journal; {@code null}: the process has none */
    ProcessReader(long pid, @Nullable Path journal) {
        proc = ProcPaths.of(pid);
        this.journal = journal == null ? null : journal.toAbsolutePath() + "/";
    }

    /** Returns what the process holds now; empty if it has ended or cannot be read. */
    Optional<ProcessReading> read() {
        try {
            KernelFields status = KernelFields.read(proc.resolve("status"));
            Map<String, Integer> threads = new TreeMap<>();
            Map<Long, String> affinity = new HashMap<>();
            readThreads(threads, affinity);
            boolean isStopped = status.text("State").startsWith("T");
            return Optional.of(new ProcessReading(
                    isStopped, status.bytes(ANONYMOUS), journalBytes(), descriptors(), threads, affinity, children()));
        } catch (IOException | UncheckedIOException e) {
            // It has ended, or it is another user's: the caller reports that there is no reading.
            return Optional.empty();
        }
    }

    private void readThreads(Map<String, Integer> threads, Map<Long, String> affinity) throws IOException {
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(proc.resolve("task"))) {
            for (Path task : tasks) {
                KernelFields status = statusUnlessGone(task.resolve("status"));
                String name = status.text("Name");
                if (name.isEmpty()) {
                    continue;
                }
                affinity.put(Long.valueOf(task.getFileName().toString()), status.text("Cpus_allowed_list"));
                if (OF_THE_JVM.stream().noneMatch(name::startsWith)) {
                    threads.merge(name, 1, Integer::sum);
                }
            }
        }
    }

    private Map<String, Integer> descriptors() throws IOException {
        Map<String, Integer> descriptors = new TreeMap<>();
        SocketFamilies families = SocketFamilies.of(proc);
        try (DirectoryStream<Path> links = Files.newDirectoryStream(proc.resolve("fd"))) {
            for (Path link : links) {
                String target = targetUnlessGone(link);
                if (!target.isEmpty() && !isOfTheClassPath(target)) {
                    descriptors.merge(withoutNumber(families.describe(target)), 1, Integer::sum);
                }
            }
        }
        return descriptors;
    }

    /** Libraries and archives of classes are opened when they are first needed, and stay open. */
    private static boolean isOfTheClassPath(String target) {
        return target.endsWith(".jar") || target.endsWith("/modules") || target.endsWith(".jsa");
    }

    /** {@code pipe:[4711]} is a pipe as any other, and a file that is rolled has the next one's name but for its number. */
    static String withoutNumber(String target) {
        return target.replaceAll(":\\[\\d+]$", "").replaceAll("\\d+", "N");
    }

    private Map<String, Integer> children() throws IOException {
        Map<String, Integer> children = new TreeMap<>();
        try (Stream<ProcessHandle> handles = ProcessHandle.of(
                        Long.parseLong(proc.getFileName().toString()))
                .stream()
                .flatMap(ProcessHandle::children)) {
            for (ProcessHandle child : handles.toList()) {
                KernelFields status = statusUnlessGone(ProcPaths.of(child.pid(), "status"));
                String name = status.text("Name");
                if (!name.isEmpty() && !status.text("State").startsWith("Z")) {
                    children.merge(name, 1, Integer::sum);
                }
            }
        }
        return children;
    }

    /** Returns the anonymous resident memory, the one figure that is cheap enough for every second; 0 if it cannot be read. */
    long anonymousBytes() {
        try {
            return KernelFields.read(proc.resolve("status")).bytes(ANONYMOUS);
        } catch (IOException e) {
            // It has ended; its reading at the end says so.
            return 0;
        }
    }

    /** Adds up {@code Rss} of the mappings of the journal's files. */
    long journalBytes() throws IOException {
        if (journal == null) {
            return 0;
        }
        long bytes = 0;
        boolean isJournal = false;
        try (BufferedReader lines = Files.newBufferedReader(proc.resolve("smaps"), StandardCharsets.ISO_8859_1)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("Rss:")) {
                    bytes += isJournal ? Long.parseLong(line.replaceAll("\\D", "")) * KIB : 0;
                } else if (Character.isDigit(line.charAt(0)) || (line.charAt(0) >= 'a' && line.charAt(0) <= 'f')) {
                    isJournal = line.contains(journal);
                }
            }
        }
        return bytes;
    }

    private static KernelFields statusUnlessGone(Path file) throws IOException {
        try {
            return KernelFields.read(file);
        } catch (NoSuchFileException endedMeanwhile) {
            return new KernelFields(Map.of());
        } catch (IOException e) {
            if (Files.exists(file)) {
                throw e;
            }
            return new KernelFields(Map.of());
        }
    }

    private static String targetUnlessGone(Path link) throws IOException {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (NoSuchFileException closedMeanwhile) {
            return "";
        }
    }
}
