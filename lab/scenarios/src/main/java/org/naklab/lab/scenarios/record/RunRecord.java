package org.naklab.lab.scenarios.record;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.naklab.lab.core.Json;
import org.naklab.lab.instruments.memory.MajorFaultStack;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.evidence.Unkept;

/** {@code run.json}: the document of {@code --json}, what it rests on, and what one needs to run it again. */
final class RunRecord {
    private static final String NAME = "run.json";

    private RunRecord() {}

    /** What is known before a run begins. */
    static ObjectNode known(RunPlan plan, String version, List<String> arguments) {
        ObjectNode known = Json.object()
                .put("scenario", plan.scenario())
                .put("fidelity", plan.fidelity().label())
                .put("remedy", plan.remedy().label())
                .put("profile", plan.profileLabel())
                .put("seed", plan.seed())
                .put("runDirectory", plan.directory().toString())
                .put("startedUtc", new RunDirectory(plan.directory()).startedUtc());
        known.putPOJO("plan", plan);
        known.put("replay", ReplayCommandLine.command(plan));
        known.set("environment", RunHost.describe(version));
        arguments.forEach(known.putArray("arguments")::add);
        return known;
    }

    /** The record of a run that came to no verdict. */
    static ObjectNode unfinished(ObjectNode known, String reason) {
        ObjectNode record = known.deepCopy()
                .put("verdict", Verdict.UNKNOWN.label())
                .put("diagnosis", "unknown")
                .put("reason", reason);
        record.putArray("troubles").add(reason);
        return record;
    }

    /**
     * Writes the record of a run that came to its end, with what belongs to it, and points {@code latest} there. What cannot be written of
     * the rest is a trouble of the run; the record comes last, so that it says so.
     *
     * @return the run as it stands then: with one more trouble its verdict is UNKNOWN at best
     * @throws java.io.UncheckedIOException the record itself cannot be written
     */
    static RunResult write(Scenario scenario, RunResult result, ObjectNode known) {
        Path directory = result.outcome().plan().directory();
        Unkept unkept = new Unkept();
        List<MajorFaultStack> stacks = result.outcome().observation().faultStacks();
        if (!stacks.isEmpty()) {
            unkept.attempt(() -> Json.write(directory.resolve("fault-stacks.json"), stacks));
        }
        unkept.attempt(() -> new RunDirectory(directory).linkLatest());
        RunResult kept = result.withUnkept(scenario, unkept.lines());
        Unkept diagnosis = new Unkept();
        diagnosis.attempt(() -> Json.write(
                directory.resolve("diagnosis.json"),
                DiagnosisDocument.of(kept.outcome().diagnosis())));
        RunResult written = kept.withUnkept(scenario, diagnosis.lines());
        Json.write(directory.resolve(NAME), of(written, known));
        return written;
    }

    private static ObjectNode of(RunResult result, ObjectNode known) {
        RunOutcome outcome = result.outcome();
        ObjectNode record = RunDocument.of(result);
        reason(result).ifPresent(reason -> record.put("reason", reason));
        record.set("startedUtc", known.get("startedUtc"));
        record.put("epochOffsetNs", outcome.epochOffsetNs());
        record.put("elapsedMs", outcome.elapsedNs() / 1_000_000);
        ArrayNode conditions = record.putArray("conditions");
        result.conditions().forEach(condition -> conditions.addPOJO(condition));
        ArrayNode troubles = record.putArray("troubles");
        outcome.troubles().forEach(troubles::add);
        outcome.observation().unkept().forEach(troubles::add);
        record.putPOJO("exchange", outcome.exchange());
        record.putPOJO("subscribers", outcome.subscribers());
        record.putPOJO("sockets", outcome.sockets());
        record.putPOJO("outsideFaults", outcome.outsideFaults());
        record.set("instruments", ObservationDocument.of(outcome.observation()));
        record.putPOJO("journal", outcome.journal());
        record.putPOJO("plan", outcome.plan());
        result.story().forEach(record.putArray("story")::add);
        record.set("replay", known.get("replay"));
        record.set("environment", known.get("environment"));
        record.set("arguments", known.get("arguments"));
        return record;
    }

    /** Why the verdict is not pass: what kept the run from its end, or else the first prediction that does not hold. */
    private static Optional<String> reason(RunResult result) {
        if (result.verdict() == Verdict.PASS) {
            return Optional.empty();
        }
        Optional<String> trouble = result.outcome().troubles().stream().findFirst();
        return trouble.or(() -> result.conditions().stream()
                .filter(condition -> condition.verdict() == result.verdict())
                .map(condition -> condition.claim() + ": " + condition.figures())
                .findFirst());
    }

    /** Writes the record of a run that came to no verdict, and points {@code latest} there. */
    static void write(Path directory, ObjectNode record) {
        Json.write(directory.resolve(NAME), record);
        new RunDirectory(directory).linkLatest();
    }

    static boolean isWritten(Path directory) {
        return Files.exists(directory.resolve(NAME), LinkOption.NOFOLLOW_LINKS);
    }
}
