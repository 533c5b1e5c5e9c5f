package org.naklab.lab.scenarios.convoy;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.Units;

/**
 * Tells what the writers did, and what the lab saw of them from outside.
 *
 * @param lock the file whose lock they take
 * @param samples how often the lab looked at a writer
 * @param lockShare share of the samples in which the writer waited for the lock of a file, 0 to 1
 * @param lockWait the wait that was seen most often; {@code null}: none was seen
 */
public record ConvoyReport(
        String lock,
        List<WriterReport> writers,
        long samples,
        double lockShare,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable LockWait lockWait) {
    /** Name of the file in the directory of the run. */
    public static final String FILE = "lock-convoy.json";

    /**
     * Is a wait for the lock of a file, as it is seen from outside.
     *
     * @param file the file, by the descriptor of the call
     * @param call the system call
     * @param holder the process that holds the lock, its name and number
     * @param holderCall what the holder did meanwhile
     */
    public record LockWait(String file, String call, String holder, String holderCall) {}

    public ConvoyReport {
        writers = List.copyOf(writers);
    }

    /** Reads the report of a run; empty if the run left none. */
    public static Optional<ConvoyReport> read(Path runDirectory) {
        Path file = runDirectory.resolve(FILE);
        return Files.exists(file) ? Optional.of(Json.read(file, ConvoyReport.class)) : Optional.empty();
    }

    void write(Path runDirectory) {
        Json.write(runDirectory.resolve(FILE), this);
    }

    /** Returns the cases that all writers handled. */
    public long cases() {
        return sum(WriterReport::cases);
    }

    long plain() {
        return sum(each -> each.calls().plain());
    }

    long snapshots() {
        return sum(each -> each.calls().snapshots());
    }

    long locks() {
        return sum(each -> each.calls().locks());
    }

    double seconds() {
        return writers.stream()
                        .mapToLong(each -> each.times().elapsedNs())
                        .max()
                        .orElse(0)
                / Units.NS_PER_S;
    }

    double casesPerSecond() {
        return ratio((double) cases(), seconds());
    }

    /** Returns how many cases were handled at the same time, on average. */
    double concurrency() {
        return ratio((double) sum(each -> each.times().handlingNs()), seconds() * Units.NS_PER_S);
    }

    /** Returns the share of the writers' time on a processor, 0 to 1. */
    double cpuShare() {
        return ratio((double) sum(each -> each.times().cpuNs()), (double)
                sum(each -> each.times().elapsedNs()));
    }

    /** Returns the mean response time of a plain case, ns. */
    double plainNs() {
        return ratio((double) sum(each -> each.times().plainNs()), (double) plain());
    }

    /** Returns the mean response time of a case that needs the lock, ns. */
    double snapshotNs() {
        return ratio((double) sum(each -> each.times().snapshotNs()), (double) snapshots());
    }

    private long sum(ToLongFunction<WriterReport> figure) {
        return writers.stream().mapToLong(figure).sum();
    }

    private static double ratio(double part, double whole) {
        return whole == 0 ? 0 : part / whole;
    }
}
