package org.naklab.lab.tools.tune.workload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.naklab.files.PrivateDirectory;
import org.naklab.lab.core.Median;
import org.naklab.lab.core.Units;
import org.naklab.lab.instruments.linux.CachedPages;

/** Writes a file as a log is written, block after block, and leaves more or less of it in the page cache. */
public final class DirectIo {
    /** The system property with the way of writing: buffered, direct, behind or uncached. */
    public static final String WRITE = "naklab.tune.write";

    /** The system property with the bytes of a write, a multiple of 4 KiB. */
    public static final String BLOCK = "naklab.tune.block";

    private static final int USUAL_BLOCK_BYTES = 256 << 10;
    private static final int FILE_BYTES = 128 << 20;
    private static final int WARM_UPS = 1;
    private static final String PREFIX = "naklab-write-";

    private final FileOutput.Way way;
    private final int blockBytes = Integer.getInteger(BLOCK, USUAL_BLOCK_BYTES);

    /**
     * Creates the workload; a write has 256 KiB unless {@link #BLOCK} says otherwise.
     *
     * @param way of writing, see {@link #WRITE}
     * @throws IllegalArgumentException there is no such way
     */
    public DirectIo(String way) {
        this.way = FileOutput.Way.of(way);
    }

    private record Round(double mibPerSecond, double longestUs, long cachedBytes, String flags) {}

    /** Returns why the disk of the temporary directory cannot be written to in a way; empty if it can. */
    public static Optional<String> whyNot(String way) {
        try (PrivateDirectory directory = directory();
                FileOutput output =
                        new FileOutput(directory.path().resolve("probe"), FileOutput.Way.of(way), USUAL_BLOCK_BYTES)) {
            output.write();
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Returns the rate of each round with everything on the disk at its end, MiB/s.
     *
     * @throws IOException the file cannot be written in this way
     */
    public WorkloadResult run(int rounds) throws IOException {
        List<Round> measured = new ArrayList<>();
        try (PrivateDirectory directory = directory()) {
            for (int round = -WARM_UPS; round < rounds; round++) {
                Round one = round(directory.path().resolve("file"));
                if (round >= 0) {
                    measured.add(one);
                }
            }
        }
        return new WorkloadResult(
                measured.stream().map(Round::mibPerSecond).toList(),
                List.of(
                        new Figure(
                                "longest write, µs", Median.of(measured.stream().mapToDouble(Round::longestUs))),
                        new Figure(
                                "left in the page cache, MiB",
                                Median.of(measured.stream().mapToDouble(round -> round.cachedBytes() / 1048576.0)))),
                List.of("the file was written " + way.label() + " in blocks of " + blockBytes
                        + " B; its flags in fdinfo are "
                        + measured.get(0).flags()
                        + (FileOutput.isDirect(measured.get(0).flags()) ? ", with O_DIRECT" : ", without O_DIRECT")));
    }

    private Round round(Path file) throws IOException {
        try (FileOutput output = new FileOutput(file, way, blockBytes)) {
            long longestNs = 0;
            long beginNs = System.nanoTime();
            long beforeNs = beginNs;
            for (int i = 0; i < FILE_BYTES / blockBytes; i++) {
                output.write();
                long nowNs = System.nanoTime();
                longestNs = Math.max(longestNs, nowNs - beforeNs);
                beforeNs = nowNs;
            }
            output.force();
            double seconds = (System.nanoTime() - beginNs) / Units.NS_PER_S;
            return new Round(
                    FILE_BYTES / 1048576.0 / seconds,
                    longestNs / Units.NS_PER_US,
                    CachedPages.bytesOf(file),
                    output.flags());
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static PrivateDirectory directory() throws IOException {
        return PrivateDirectory.create(Path.of(System.getProperty("java.io.tmpdir")), PREFIX);
    }
}
