package org.naklab.lab.containers;

import java.util.ArrayList;
import java.util.List;
import org.naklab.faults.guard.Leftovers;
import org.naklab.faults.guard.ProcessIdentity;

/** Removes what labs have made at the engine that ended without removing it, by the identity that is on it. */
public final class EngineLeftovers {
    private static final String FILTER = "label=" + EngineGuard.LABEL;
    private static final String LABEL_FORMAT = " {{.Label \"" + EngineGuard.LABEL + "\"}}";

    private final List<String> undone = new ArrayList<>();
    private final List<String> left = new ArrayList<>();

    private EngineLeftovers() {}

    /** Removes all of them, containers first. What belongs to a lab that runs, or that cannot be seen from here, stays. */
    public static Leftovers.Outcome remove() {
        EngineLeftovers leftovers = new EngineLeftovers();
        leftovers.remove("container", "{{.Names}}", "ps", "--all", "--no-trunc");
        leftovers.remove("volume", "{{.Name}}", "volume", "ls");
        leftovers.remove("network", "{{.Name}}", "network", "ls");
        return new Leftovers.Outcome(leftovers.undone, leftovers.left);
    }

    private void remove(String kind, String name, String... listing) {
        List<String> arguments = new ArrayList<>(List.of(listing));
        arguments.addAll(List.of("--filter", FILTER, "--format", name + LABEL_FORMAT));
        Docker.Result listed = Docker.attempt(arguments.toArray(String[]::new));
        if (!listed.succeeded()) {
            left.add("cannot list each " + kind + ": " + listed.lastLine());
            return;
        }
        listed.output()
                .lines()
                .map(line -> line.split(" ", 2))
                .filter(words -> words.length == 2 && hasEnded(words[1]))
                .forEach(words -> remove(kind, words[0]));
    }

    private void remove(String kind, String name) {
        // A network knows no force.
        Docker.Result result =
                kind.equals("network") ? Docker.attempt(kind, "rm", name) : Docker.attempt(kind, "rm", "--force", name);
        if (result.succeeded()) {
            undone.add("remove the " + kind + " " + name);
        } else if (!result.output().contains("No such")) {
            left.add(kind + " " + name + ": " + result.lastLine());
        }
    }

    private static boolean hasEnded(String identity) {
        try {
            return ProcessIdentity.parse(identity).life() == ProcessIdentity.Life.ENDED;
        } catch (IllegalArgumentException e) {
            // Someone else's label.
            return false;
        }
    }
}
