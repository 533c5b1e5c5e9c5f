package org.naklab.lab.studies.foreign;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.guard.Guard;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.process.AskedProcess;

/**
 * The script of one attempt. It is called with one word: {@code check}, {@code prepare}, {@code receive}, {@code disturb} or
 * {@code undo}; see docs/notes/confusion-foreign.md. Whatever happens to the lab, {@code undo} is called: by {@link #close()}, or by the guard.
 */
final class DisturbanceScript implements AutoCloseable {
    private static final long STEP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final String VARIABLE = "NAKLAB_";

    private final Disturbance disturbance;
    private final Path work;
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final Guard guard = new Guard();
    private final Guard.Promise undone;
    private boolean isUndone;

    /**
     * Creates the script of an attempt, and its directory. From now on, the guard undoes it if the lab is killed.
     *
     * @param work directory of its own, which must not exist
     * @throws LabException if the directory cannot be made
     */
    DisturbanceScript(Disturbance disturbance, Path work, long seed) {
        this.disturbance = disturbance;
        this.work = work;
        try {
            Files.createDirectory(work);
        } catch (IOException e) {
            throw new LabException("cannot make the directory of a disturbance: " + e, e);
        }
        set("WORK", work.toString());
        set("LEAD_MS", "0");
        set("LENGTH_MS", String.valueOf(disturbance.demands().lengthMs()));
        set("SEED", String.valueOf(seed));
        set("JAVA_HOME", System.getProperty("java.home"));
        // A shell asks first whether the script is still there: it may be undone after a reboot.
        undone = guard.toRun("the disturbance " + disturbance.name(), guarded("undo"));
    }

    /** Returns why it cannot be made on this machine; empty if it can. Nothing is changed. */
    static Optional<String> refusal(Disturbance disturbance) throws InterruptedException {
        Path log = null;
        try {
            log = Files.createTempFile("naklab-foreign", ".log");
            return failure(
                    ScriptRun.start(
                            disturbance.name(), List.of(disturbance.script().toString(), "check"), Map.of(), log),
                    log);
        } catch (IOException e) {
            throw new LabException("cannot make a temporary file: " + e, e);
        } finally {
            delete(log);
        }
    }

    private static void delete(@Nullable Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new LabException("cannot delete " + file + ": " + e, e);
        }
    }

    /**
     * Tells the script something about the run.
     *
     * @param key without the prefix {@code NAKLAB_}
     */
    void set(String key, String value) {
        environment.put(VARIABLE + key, value);
    }

    /**
     * Prepares the disturbance, before the processes of the run are started.
     *
     * @return why it could not; empty if it could
     */
    Optional<String> prepare() throws InterruptedException {
        return step("prepare");
    }

    /** Starts the receiver and its sender, which run until the input of the script is ended. */
    AskedProcess receive() {
        return start("receive");
    }

    /** Starts to disturb. */
    AskedProcess disturb() {
        return start("disturb");
    }

    /** Returns the proof that a script has printed as its last line of JSON, once it was closed. */
    Proof proofOf(AskedProcess run) {
        List<String> lines = run.lines();
        for (int i = lines.size() - 1; i >= 0; i--) {
            Optional<JsonNode> line = json(lines.get(i));
            if (line.isPresent()) {
                Proof proof = Json.value(line.get(), Proof.class);
                return run.exitCode() == 0 || !proof.isMade()
                        ? proof
                        : Proof.notMade("the script measured '" + proof.text() + "' and ended with " + run.endedHow());
            }
        }
        return Proof.notMade("the script gave no proof: " + reason(run));
    }

    private static Optional<JsonNode> json(String line) {
        try {
            return line.startsWith("{") ? Optional.of(Json.parse(line)) : Optional.empty();
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    /**
     * Undoes the disturbance; does nothing the second time.
     *
     * @throws LabException if it cannot be undone; the guard tries again at the end of the lab
     */
    void undo() throws InterruptedException {
        if (!isUndone) {
            Optional<String> failure = step("undo");
            if (failure.isPresent()) {
                throw new LabException("cannot undo the disturbance " + disturbance.name() + ": " + failure.get());
            }
            isUndone = true;
            undone.kept();
        }
    }

    private Optional<String> step(String word) throws InterruptedException {
        return failure(start(word), log());
    }

    private static Optional<String> failure(AskedProcess run, Path log) throws InterruptedException {
        boolean isOver = run.finish(STEP_TIMEOUT_NS);
        return isOver && run.exitCode() == 0 ? Optional.empty() : Optional.of(reason(run, log));
    }

    private AskedProcess start(String word) {
        return ScriptRun.start(disturbance.name(), List.of(disturbance.script().toString(), word), environment, log());
    }

    private List<String> guarded(String word) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "[ ! -x \"$0\" ] || exec env \"$@\""));
        command.add(disturbance.script().toString());
        environment.forEach((key, value) -> command.add(key + "=" + value));
        command.addAll(List.of(disturbance.script().toString(), word));
        return command;
    }

    private Path log() {
        return work.resolve("log");
    }

    /** Returns why a part of the script that was closed did not do its task. */
    String reason(AskedProcess run) {
        return reason(run, log());
    }

    /** What a script says last is why. */
    private static String reason(AskedProcess run, Path log) {
        List<String> said = new ArrayList<>(run.lines());
        try {
            said.addAll(Files.readAllLines(log));
        } catch (IOException e) {
            said.add("its log cannot be read: " + e.getMessage());
        }
        return said.stream()
                .filter(line -> !line.isBlank() && !line.startsWith("{"))
                .reduce((first, last) -> last)
                .orElse(run.endedHow());
    }

    /** Lets the guard go, which undoes the disturbance if {@link #undo()} did not. */
    @Override
    public void close() {
        guard.close();
    }
}
