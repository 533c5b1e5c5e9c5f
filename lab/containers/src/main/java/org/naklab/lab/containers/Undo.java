package org.naklab.lab.containers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.naklab.faults.guard.Guard;
import org.naklab.lab.core.LabException;

/**
 * Undoes one act at the engine. The guard knows how before the act, so that it is undone also when this process is killed. To undo
 * twice, or what was never done, or something of a container that is gone, does nothing and succeeds.
 */
public final class Undo {
    /** An engine's client can be killed like anything else. */
    private static final int MOST_TRIES = 3;

    private static final Path NO_INPUT = Path.of("/dev/null");

    /**
     * Functions for scripts: {@code undoing} runs a command, and ends the script with the command's message when it fails; a
     * thing that no longer exists or is already restored is no failure. {@code existing} does the same, and ends the script
     * successfully when the thing no longer exists.
     */
    private static final String UNDOING = "undoing() { said=$(\"$@\" 2>&1) && return; case $said in"
            + " *'No such container'* | *'No such object'* | *'No such volume'* | *'No such network'* | *'not paused'*"
            + " | *'is not running'* | *'non running container'* | *'already in progress'* |"
            + " *'bind source path does not exist'*) return 0 ;; esac; echo \"$said\"; exit 1; }; "
            + "existing() { \"$@\" >/dev/null 2>&1 && return; undoing \"$@\"; exit 0; }; ";

    private final String what;
    private final List<String> command;
    private final Guard.Promise promise;

    private Undo(String what, List<String> command, Guard.Promise promise) {
        this.what = what;
        this.command = command;
        this.promise = promise;
    }

    /**
     * Promises to undo an act that comes next.
     *
     * @param what is undone, for messages: "unpause gateway-1"
     * @param script for a shell, with {@code undoing COMMAND} and {@code existing COMMAND}
     * @param arguments of the script
     */
    public static Undo promise(String what, String script, List<String> arguments) {
        List<String> words = new ArrayList<>(List.of("sh", "-c", UNDOING + script, "naklab-undo"));
        words.addAll(arguments);
        List<String> command = EngineGuard.forThisEngine(words);
        return new Undo(what, command, EngineGuard.guard().toRun(what, command));
    }

    /** Promises to undo an act by one {@code docker} command. */
    public static Undo promise(String what, List<String> arguments) {
        return promise(what, "undoing \"$@\"", Docker.command(arguments));
    }

    /** Returns a script that removes the containers that filters of {@code docker ps} let through. */
    public static String remove(String filters) {
        return UNDOING + "ids=$(docker ps --all --quiet --no-trunc " + filters + ") || exit 1;"
                + " for id in $ids; do undoing docker rm --force --volumes \"$id\"; done";
    }

    /** Does the act; one that fails may have had its effect all the same, and is undone. */
    public <T> T orUndo(Supplier<T> act) {
        try {
            return act.get();
        } catch (RuntimeException e) {
            try {
                run();
            } catch (LabException second) {
                e.addSuppressed(second);
            }
            throw e;
        }
    }

    /** Does the same for an act without a result. */
    public void orUndo(Runnable act) {
        Object unused = orUndo(() -> {
            act.run();
            return this;
        });
    }

    /**
     * Undoes it.
     *
     * @throws LabException when it cannot be undone; the guard tries again when this process ends
     */
    public void run() {
        Docker.Result result = Docker.execute(NO_INPUT, command);
        for (int i = 1; i < MOST_TRIES && !result.succeeded(); i++) {
            result = Docker.execute(NO_INPUT, command);
        }
        if (!result.succeeded()) {
            throw new LabException("could not " + what + ": " + result.lastLine());
        }
        promise.kept();
    }

    /** Marks the action as done by other means. */
    public void kept() {
        promise.kept();
    }
}
