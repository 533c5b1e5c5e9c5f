package org.naklab.lab.scenarios.record;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.NoVerdictException;
import org.naklab.lab.records.StartRecord;
import org.naklab.lab.records.UnfinishedRecord;
import org.naklab.lab.runs.history.StartedRun;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;

/**
 * Sees to it that a run leaves a record, however it ends: one of its verdict, or one of what ended it; and when the lab is killed, what was
 * known before the run began.
 */
public final class RunRecorder implements AutoCloseable {
    private final Scenario scenario;
    private final RunPlan plan;
    private final StartRecord known;
    private final @Nullable StartedRun started;

    private RunRecorder(Scenario scenario, RunPlan plan, StartRecord known, @Nullable StartedRun started) {
        this.scenario = scenario;
        this.plan = plan;
        this.known = known;
        this.started = started;
    }

    /** The plan of the run. */
    @FunctionalInterface
    public interface Run {
        RunResult execute() throws InterruptedException;
    }

    /**
     * Begins the record of one run in the run's directory, which no page shows while it goes on.
     *
     * @param arguments of the command line, without credentials
     */
    public static RunRecorder begin(Scenario scenario, RunPlan plan, String version, List<String> arguments) {
        return begin(scenario, plan, version, arguments, Optional.empty());
    }

    /**
     * Begins the record of one run in the run's directory.
     *
     * @param arguments of the command line, without credentials
     * @param live address of the page that shows the run while it goes on, if everybody on the machine may know it
     */
    public static RunRecorder begin(
            Scenario scenario, RunPlan plan, String version, List<String> arguments, Optional<String> live) {
        StartRecord known = RunRecords.start(plan, version, arguments);
        try {
            return new RunRecorder(scenario, plan, known, StartedRun.begin(plan.directory(), known, live.orElse(null)));
        } catch (IOException noRoom) {
            // The record at the run's end will fail likewise, and that is told.
            return new RunRecorder(scenario, plan, known, null);
        }
    }

    /**
     * Runs it and writes its record.
     *
     * @param unfinished is given the record of a run that came to no verdict, or whose record cannot be written, before the failure is
     *     thrown on
     * @throws NoVerdictException something outside the program ended the run, or its record cannot be written; whatever else ends the
     *     run is thrown as it is
     */
    public RunResult record(Run run, Consumer<UnfinishedRecord> unfinished) throws InterruptedException {
        try {
            return write(run.execute());
        } catch (Throwable failure) {
            UnfinishedRecord record = UnfinishedRecord.of(known, reason(failure));
            attempt(failure, () -> RunRecordWriter.write(plan.directory(), record));
            attempt(failure, this::end);
            attempt(failure, () -> unfinished.accept(record));
            if (failure instanceof LabException expected && expected.kind() == LabException.Kind.ENVIRONMENT) {
                throw new NoVerdictException(String.valueOf(expected.getMessage()), expected);
            }
            throw failure;
        }
    }

    /**
     * Writes the record once more, with what could not be kept after the first time.
     *
     * @param unkept each one line
     * @return the run as it stands then
     * @throws LabException the record cannot be written
     */
    public RunResult rewrite(RunResult result, List<String> unkept) {
        return unkept.isEmpty() ? result : write(result.withUnkept(scenario, unkept));
    }

    private RunResult write(RunResult result) {
        RunResult written;
        try {
            written = RunRecordWriter.write(scenario, result, known);
        } catch (UncheckedIOException e) {
            throw new LabException("the run's record cannot be written: " + reason(e), e);
        }
        end();
        return written;
    }

    /** When there is a record, the one of its beginning goes. */
    private void end() {
        if (started != null && RunRecordWriter.isWritten(plan.directory())) {
            try {
                started.ended();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** A second failure must not hide the first. */
    private static void attempt(Throwable failure, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private static String reason(Throwable failure) {
        String message = failure.getMessage();
        boolean isForPeople = failure instanceof LabException || failure instanceof UncheckedIOException;
        return (isForPeople && message != null ? message : failure.toString())
                .strip()
                .replaceAll("\\s*\\R\\s*", " ");
    }

    @Override
    public void close() {
        if (started != null) {
            started.close();
        }
    }
}
