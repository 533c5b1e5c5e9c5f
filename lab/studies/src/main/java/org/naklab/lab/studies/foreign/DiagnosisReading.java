package org.naklab.lab.studies.foreign;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.account.StallAccount;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.records.DiagnosisRecord;
import org.naklab.lab.records.RunDocument;
import org.naklab.lab.records.Stall;

/**
 * Holds what the files of a run, or of a window of a watch, say about its cause; they may come from an earlier version.
 *
 * @param statements the named causes; the first is the main one
 * @param stall the stall that matters; {@code null}: there was none
 */
public record DiagnosisReading(
        List<Statement> statements, @Nullable Stall stall) {
    static final String CANNOT_TELL = "cannot-tell";

    /** That of a run that was not executed. */
    static final DiagnosisReading NONE = new DiagnosisReading(List.of(Statement.read(null, null, 0, 0)), null);

    /** That of a watch that found nothing, and recorded nothing. */
    static final DiagnosisReading QUIET = new DiagnosisReading(List.of(new Statement("clean", "", 0, 0)), null);

    private static final String CERTAIN = "certain";
    private static final String RUN = "run.json";

    /**
     * One named cause.
     *
     * @param atNs when it began, CLOCK_MONOTONIC, ns; 0: the file does not tell
     * @param durationMs its length, ms; 0: the file does not tell
     */
    public record Statement(String cause, String confidence, long atNs, double durationMs) {
        /** Reads a cause; one without a name cannot be told. */
        @JsonCreator
        static Statement read(
                @JsonProperty("cause") @Nullable String cause,
                @JsonProperty("confidence") @Nullable String confidence,
                @JsonProperty("atNs") long atNs,
                @JsonProperty("durationMs") double durationMs) {
            return new Statement(
                    cause == null ? CANNOT_TELL : cause, confidence == null ? "" : confidence, atNs, durationMs);
        }

        public boolean isCertain() {
            return confidence.equals(CERTAIN);
        }
    }

    /** The keys that are read of {@code diagnosis.json}. */
    private record Document(
            @JsonProperty("cause") @Nullable String cause,
            @JsonProperty("confidence") @Nullable String confidence,
            @JsonProperty("causes") @Nullable List<Statement> causes,
            @JsonProperty("stall") @Nullable Stall stall) {}

    /** The keys that are read of {@code run.json}. */
    private record Run(@JsonProperty("stalls") @Nullable List<Stall> stalls) {}

    public DiagnosisReading {
        statements = List.copyOf(statements);
    }

    /**
     * Reads the files in a run's directory. A diagnosis without {@code causes} names one cause; without {@code stall}, the main stall of
     * the run is the one that matters.
     *
     * @throws java.io.UncheckedIOException if there is no diagnosis, or it cannot be read
     */
    static DiagnosisReading of(Path directory) {
        Document document = Json.read(directory.resolve(DiagnosisRecord.NAME), Document.class);
        Statement main = Statement.read(document.cause(), document.confidence(), 0, 0);
        List<Statement> causes = document.causes() == null ? List.of() : document.causes();
        boolean isFirst = !causes.isEmpty() && causes.get(0).cause().equals(main.cause());
        return new DiagnosisReading(
                isFirst
                        ? causes
                        : Stream.concat(Stream.of(main), causes.stream()).toList(),
                document.stall() == null ? mainStall(directory.resolve(RUN)) : document.stall());
    }

    private static @Nullable Stall mainStall(Path run) {
        if (!Files.exists(run)) {
            return null;
        }
        List<Stall> stalls = Json.read(run, Run.class).stalls();
        return stalls == null ? null : RunDocument.mainOf(stalls).orElse(null);
    }

    Statement main() {
        return statements.get(0);
    }

    boolean names(String cause) {
        return statements.stream().anyMatch(statement -> statement.cause().equals(cause));
    }

    /** Returns when a statement's cause took effect; for the main one without a time, that of the stall that matters. */
    Optional<Interval> timeOf(Statement statement) {
        if (statement.atNs() != 0) {
            return Optional.of(new Interval(
                    statement.atNs(),
                    statement.atNs() + Math.max(1, Math.round(statement.durationMs() * Units.NS_PER_MS))));
        }
        return statement.equals(main()) && stall != null
                ? Optional.of(new Interval(stall.atNs(), stall.endNs()))
                : Optional.empty();
    }

    /** Returns the account of the stall that matters; empty if there is none. */
    StallAccount account() {
        return stall == null ? StallAccount.NONE : stall.account();
    }

    /** Returns true if the account has more time of that kind than of any other. */
    boolean isMainly(AccountKind kind) {
        StallAccount account = account();
        double ms = account.ms(kind);
        return ms > 0 && Arrays.stream(AccountKind.values()).noneMatch(other -> account.ms(other) > ms);
    }
}
