package org.naklab.lab.containers;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.naklab.faults.guard.Leftovers;
import org.naklab.faults.guard.ProcessIdentity;
import org.naklab.lab.containers.DockerEngine.Kind;
import org.naklab.lab.core.LabException;

/** Removes what labs have made at the engine that ended without removing it, by the identity that is on it. */
public final class EngineLeftovers {
    private final List<String> undone = new ArrayList<>();
    private final List<String> left = new ArrayList<>();

    private EngineLeftovers() {}

    /** Removes all of them, containers first. What belongs to a lab that runs, or that cannot be seen from here, stays. */
    public static Leftovers.Outcome remove() {
        EngineLeftovers leftovers = new EngineLeftovers();
        leftovers.remove(
                Kind.CONTAINER,
                () -> DockerEngine.containers(EngineGuard.LABEL, true),
                DockerEngine.Container::name,
                container -> container.label(EngineGuard.LABEL));
        leftovers.remove(Kind.VOLUME, () -> DockerEngine.volumes(EngineGuard.LABEL));
        leftovers.remove(Kind.NETWORK, () -> DockerEngine.networks(EngineGuard.LABEL));
        return new Leftovers.Outcome(leftovers.undone, leftovers.left);
    }

    private void remove(Kind kind, Supplier<List<DockerEngine.Resource>> listing) {
        remove(kind, listing, DockerEngine.Resource::name, resource -> resource.label(EngineGuard.LABEL));
    }

    private <T> void remove(
            Kind kind, Supplier<List<T>> listing, Function<T, String> name, Function<T, Optional<String>> identity) {
        try {
            for (T each : listing.get()) {
                if (identity.apply(each).filter(EngineLeftovers::hasEnded).isPresent()) {
                    remove(kind, name.apply(each));
                }
            }
        } catch (LabException e) {
            left.add(String.valueOf(e.getMessage()));
        }
    }

    private void remove(Kind kind, String name) {
        DockerEngine.Removal removal = DockerEngine.remove(kind, name);
        removal.obstacle().ifPresent(reason -> left.add(kind + " " + name + ": " + reason));
        if (removal.isRemoved()) {
            undone.add("remove the " + kind + " " + name);
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
