package org.naklab.lab.campaign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.scenarios.Verdict;

/**
 * Runs the parts of the project's own matrix with {@code .ci/matrix} of a source tree, which writes its document: the seed K of N is the part
 * K of N. Other cells, such as the canary, are left to another runner.
 */
public final class MatrixRunner implements SeedRunner {
    /** The word for the matrix in the place of a scenario's name. */
    public static final String SCENARIO = "matrix";

    private static final String SCRIPT = ".ci/matrix";
    private static final String RESULTS = "target/matrix.tsv";
    /** A build writes for each test, separated by tabs: commit, id, name, seconds, attempts, result, reason. */
    private static final int FIELDS = 7;

    private static final int ID = 1;
    private static final int NAME = 2;
    private static final int RESULT = 5;
    private static final int REASON = 6;

    private final Path root;
    private final Path directory;
    private final long parts;
    private final SeedRunner others;

    /**
     * Creates a runner of a source tree.
     *
     * @param root of the source tree
     * @param directory for the logs of the parts
     * @param parts number of the parts
     * @throws UsageException there is no source tree
     */
    public MatrixRunner(Path root, Path directory, long parts, SeedRunner others) {
        if (!Files.isExecutable(root.resolve(SCRIPT))) {
            throw new UsageException("--matrix needs the source tree of the lab, where " + SCRIPT
                    + " is; there is none at " + root + ": clone the repository and use the launcher in it");
        }
        this.root = root;
        this.directory = directory;
        this.parts = parts;
        this.others = others;
    }

    @Override
    public SeedResult run(Cell cell, long seed, List<String> faults, Cancellation cancellation)
            throws InterruptedException {
        if (!cell.scenario().equals(SCENARIO)) {
            return others.run(cell, seed, faults, cancellation);
        }
        Path log = directory.resolve(SCENARIO + "-" + seed + ".log");
        List<String> part = List.of("-Dnaklab.shard=" + seed + "/" + parts, "-Dnaklab.matrix.resume=true");
        long beganNs = System.nanoTime();
        try {
            Files.createDirectories(directory);
            List<String> before = results();
            // Two parts at once would build into the same directories, and disturb each other's runs.
            String lock = Files.createDirectories(root.resolve("target")).toString();
            String script = root.resolve(SCRIPT).toString();
            List<String> command = Stream.concat(
                            Stream.of("setpriv", "--pdeathsig", "TERM", "flock", lock, script), part.stream())
                    .toList();
            int exitCode = ProcessRunner.await(ProcessRunner.start(command, log), cancellation);
            List<String> after = results();
            return result(
                    after.size() >= before.size()
                                    && after.subList(0, before.size()).equals(before)
                            ? after.subList(before.size(), after.size())
                            : after,
                    exitCode,
                    script + " " + String.join(" ", part),
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs),
                    log);
        } catch (IOException e) {
            throw new LabException("cannot run part " + seed + " of the matrix; see " + log + ": " + e, e);
        }
    }

    private List<String> results() throws IOException {
        Path file = root.resolve(RESULTS);
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    /** Judges a part; the last result of a test that was run twice counts. */
    private static SeedResult result(List<String> lines, int exitCode, String again, long elapsedMs, Path log) {
        Map<String, String[]> last = new LinkedHashMap<>();
        lines.stream()
                .map(line -> line.split("\t", -1))
                .filter(fields -> fields.length == FIELDS)
                .forEach(fields -> last.put(fields[ID], fields));
        String failed = last.values().stream()
                .filter(fields -> fields[RESULT].equals("failed"))
                .findFirst()
                .map(fields -> fields[NAME] + ": " + fields[REASON])
                .orElse(null);
        if (failed != null) {
            return result(Verdict.FAIL, failed, again, elapsedMs);
        }
        if (exitCode != 0) {
            return result(
                    Verdict.UNKNOWN,
                    SCRIPT + " ended with exit code " + exitCode + ", and no test failed; see " + log,
                    again,
                    elapsedMs);
        }
        return result(Verdict.PASS, null, again, elapsedMs);
    }

    private static SeedResult result(Verdict verdict, @Nullable String claim, String again, long elapsedMs) {
        return new SeedResult(verdict, claim, "unknown", again, elapsedMs, 0, 0, 0, List.of(), null);
    }
}
