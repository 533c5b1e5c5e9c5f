package org.naklab.lab.detect;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A JFR recording in another JVM, started and stopped by {@code jcmd}. */
final class RemoteRecording implements AutoCloseable {
    private static final long JCMD_TIMEOUT_S = 30;

    private static final long END_TIMEOUT_S = 10;

    private final long pid;
    private final String name;
    private final Path repository;
    private final Path settings;

    private RemoteRecording(long pid, String name, Path repository, Path settings) {
        this.pid = pid;
        this.name = name;
        this.repository = repository;
        this.settings = settings;
    }

    /** Starts one with just these events enabled. */
    static RemoteRecording start(long pid, Path directory, List<String> events) {
        Path settings = directory.resolve("naklab-" + pid + ".jfc");
        try {
            Files.createDirectories(directory);
            Files.writeString(settings, settingsXml(events));
        } catch (IOException e) {
            throw new DetectException("cannot write " + settings + ": " + e.getMessage(), e);
        }
        jcmd(pid, "JFR.configure", "repositorypath=" + directory);
        String name = "naklab-" + ProcessHandle.current().pid();
        jcmd(pid, "JFR.start", "name=" + name, "settings=" + settings, "disk=true", "maxage=60s");
        return new RemoteRecording(pid, name, repositoryOf(pid), settings);
    }

    Path repository() {
        return repository;
    }

    @Override
    public void close() {
        if (isAlive()) {
            stop();
        }
        try {
            Files.deleteIfExists(settings);
        } catch (IOException e) {
            throw new DetectException("cannot delete " + settings + ": " + e.getMessage(), e);
        }
    }

    private boolean isAlive() {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    /** A process that ends just then takes its recording with it. */
    private void stop() {
        try {
            jcmd(pid, "JFR.stop", "name=" + name);
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

    /** JFR makes the repository anew when the first recording starts: asked before, it would name another. */
    private static Path repositoryOf(long pid) {
        String answer = jcmd(pid, "JFR.configure");
        return answer.lines()
                .filter(line -> line.startsWith("Repository path:"))
                .map(line -> Path.of(line.substring(line.indexOf(':') + 1).strip()))
                .findFirst()
                .orElseThrow(
                        () -> new DetectException("process " + pid + " does not name its JFR repository: " + answer));
    }

    private static String settingsXml(List<String> events) {
        return events.stream()
                .map(event -> "<event name=\"" + event + "\"><setting name=\"enabled\">true</setting>"
                        + "<setting name=\"threshold\">0 ns</setting></event>")
                .collect(Collectors.joining(
                        "\n",
                        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<configuration version=\"2.0\">\n",
                        "\n</configuration>\n"));
    }

    private static String jcmd(long pid, String... command) {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
        line.add(Long.toString(pid));
        line.addAll(List.of(command));
        try {
            Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(JCMD_TIMEOUT_S, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new DetectException("jcmd " + pid + ' ' + command[0] + " failed: " + answer.strip());
            }
            return answer;
        } catch (IOException e) {
            throw new DetectException("cannot run jcmd: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DetectException("interrupted while waiting for jcmd", e);
        }
    }
}
