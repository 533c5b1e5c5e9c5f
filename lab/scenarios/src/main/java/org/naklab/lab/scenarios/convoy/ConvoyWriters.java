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
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.process.AskedProcess;
import org.naklab.lab.process.DeploymentEnvironment;
import org.naklab.lab.process.Installation;

/** The writers, as processes beside those of the replica: they handle cases as long as traffic flows. */
final class ConvoyWriters implements DeploymentEnvironment {
    static final int COUNT = 4;

    private static final String LOCK = "snapshot.lock";
    private static final List<String> SMALL = List.of("-Xms16m", "-Xmx16m", "-XX:TieredStopAtLevel=1");

    private final Path directory;
    private final boolean isWide;
    private final List<AskedProcess> writers = new ArrayList<>();
    private @Nullable LockWatch watch;

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
                writers.add(start("writer-" + i));
            }
            for (AskedProcess writer : writers) {
                awaitReady(writer);
                long pid = writer.pid();
                threads.put(
                        pid,
                        LockWatch.find(writer.name(), pid, ConvoyWriter.THREAD)
                                .orElseThrow(() -> new LabException(writer.name() + " has ended")));
            }
            watch = new LockWatch(threads);
        } catch (IOException | UncheckedIOException e) {
            throw new LabException("cannot start the writers: " + e.getMessage(), e);
        }
    }

    private AskedProcess start(String name) {
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
        return AskedProcess.start(name, builder);
    }

    private static void awaitReady(AskedProcess writer) {
        String line = writer.next();
        if (!line.equals(ConvoyWriter.READY)) {
            throw new LabException(writer.name() + ": " + line);
        }
    }

    @Override
    public void onFlowStarted() {
        LockWatch started = watch;
        if (started != null) {
            started.start();
        }
        writers.forEach(writer -> writer.send(ConvoyWriter.GO));
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
        writers.forEach(AskedProcess::endInput);
        List<WriterReport> reports =
                writers.stream().map(writer -> writer.next(WriterReport.class)).toList();
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
        writers.forEach(AskedProcess::close);
    }
}
