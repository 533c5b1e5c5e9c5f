package org.naklab.lab.scenarios.convoy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.naklab.lab.process.DeploymentEnvironment;
import org.naklab.lab.process.Installation;
import org.naklab.lab.process.LineProcess;

/** The writers, as processes beside those of the replica: they handle cases as long as traffic flows. */
final class ConvoyWriters implements DeploymentEnvironment {
    static final int COUNT = 4;

    private static final String LOCK = "snapshot.lock";
    private static final List<String> SMALL = List.of("-Xms16m", "-Xmx16m", "-XX:TieredStopAtLevel=1");

    private final Path directory;
    private final boolean isWide;
    private final List<Writer> writers = new ArrayList<>();
    private @Nullable LockWatch watch;

    private record Writer(LineProcess process, LineProcess.Answers answers) {}

    /** @param directory of the run */
    ConvoyWriters(Path directory, boolean isWide) {
        this.directory = directory.toAbsolutePath();
        this.isWide = isWide;
    }

    /** Starts the writers, which wait for the flow. */
    @Override
    public void prepare() {
        try {
            Files.createFile(directory.resolve(LOCK));
            Map<Long, LockWatch.Watched> threads = new HashMap<>();
            for (int i = 1; i <= COUNT; i++) {
                Writer writer = start("writer-" + i);
                writers.add(writer);
            }
            for (Writer writer : writers) {
                awaitReady(writer);
                long pid = writer.process.pid();
                threads.put(
                        pid,
                        LockWatch.find(writer.process.name(), pid, ConvoyWriter.THREAD)
                                .orElseThrow(() -> new LabException(writer.process.name() + " has ended")));
            }
            watch = new LockWatch(threads);
        } catch (IOException | UncheckedIOException e) {
            throw new LabException("cannot start the writers: " + e.getMessage(), e);
        }
    }

    private Writer start(String name) {
        LineProcess.Answers answers = new LineProcess.Answers();
        List<String> command = Installation.current()
                .command(
                        SMALL,
                        ConvoyWriter.class,
                        List.of(
                                name,
                                directory.resolve(LOCK).toString(),
                                isWide ? ConvoyWriter.WIDE : ConvoyWriter.NARROW));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectError(directory.resolve(name + ".log").toFile());
        return new Writer(LineProcess.start(name, builder, answers), answers);
    }

    private static void awaitReady(Writer writer) {
        String line = next(writer);
        if (!line.equals(ConvoyWriter.READY)) {
            throw new LabException(writer.process.name() + ": " + line);
        }
    }

    private static String next(Writer writer) {
        try {
            return writer.answers.next();
        } catch (IllegalStateException e) {
            throw new LabException(writer.process.name() + " has ended: " + writer.process.endedHow(), e);
        }
    }

    @Override
    public void onFlowStarted() {
        LockWatch started = watch;
        if (started != null) {
            started.start();
        }
        writers.forEach(writer -> writer.process.send(ConvoyWriter.GO));
    }

    /** Ends the writers, and writes what they have done. */
    @Override
    public void collect() {
        LockWatch seen = watch;
        if (seen == null) {
            return;
        }
        // First, so that no sample is of a writer that ends.
        seen.close();
        writers.forEach(writer -> writer.process.endInput());
        List<WriterReport> reports = writers.stream()
                .map(writer -> Json.fromLine(next(writer), WriterReport.class))
                .toList();
        new ConvoyReport(
                        directory.resolve(LOCK).toString(),
                        reports,
                        seen.samples(),
                        seen.lockShare(),
                        seen.mostFrequent())
                .write(directory);
    }

    @Override
    public void close() {
        if (watch != null) {
            watch.close();
        }
        writers.forEach(writer -> writer.process.close());
    }
}
