package org.naklab.lab.run;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.naklab.lab.detect.FaultStack;
import org.naklab.lab.process.Json;
import org.naklab.lab.scenario.RunOutcome;

/** {@code run.json}: the document of {@code --json}, what it rests on, and what one needs to run it again. */
public final class RunRecord {
    private RunRecord() {}

    /** Writes it into the run's directory and points {@code latest} there. */
    public static void write(RunResult result, String version, List<String> arguments) {
        RunOutcome outcome = result.outcome();
        ObjectNode record = RunDocument.of(result);
        record.put("startedUtc", new RunDirectory(outcome.plan().directory()).startedUtc());
        record.put("epochOffsetNs", outcome.epochOffsetNs());
        record.put("elapsedMs", outcome.elapsedNs() / 1_000_000);
        ArrayNode conditions = record.putArray("conditions");
        result.conditions().forEach(condition -> conditions.addPOJO(condition));
        outcome.troubles().forEach(record.putArray("troubles")::add);
        record.putPOJO("exchange", outcome.exchange());
        record.putPOJO("subscribers", outcome.subscribers());
        record.putPOJO("sockets", outcome.sockets());
        record.putPOJO("outsideFaults", outcome.outsideFaults());
        record.set("instruments", ObservationDocument.of(outcome.observation()));
        record.putPOJO("journal", outcome.journal());
        record.putPOJO("plan", outcome.plan());
        result.story().forEach(record.putArray("story")::add);
        record.put("replay", Replay.command(outcome.plan()));
        record.set("environment", RunEnvironment.describe(version));
        arguments.forEach(record.putArray("arguments")::add);
        Json.write(outcome.plan().directory().resolve("run.json"), record);
        Json.write(outcome.plan().directory().resolve("diagnosis.json"), DiagnosisDocument.of(outcome.diagnosis()));
        List<FaultStack> stacks = outcome.observation().faultStacks();
        if (!stacks.isEmpty()) {
            Json.write(outcome.plan().directory().resolve("fault-stacks.json"), stacks);
        }
        new RunDirectory(outcome.plan().directory()).linkLatest();
    }
}
