package org.naklab.lab.containers.pace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.guard.Guard;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.linux.CgroupPaths;

/** A control group of the lab's own, version 1 or 2, that processes join by themselves. The guard removes it if the lab is killed. */
public final class ControlGroup implements AutoCloseable {
    private final List<String> controllers;
    private final CgroupPaths group;
    private @Nullable Guard guard;

    /**
     * Describes a group that does not exist yet.
     *
     * @param parent the group in which it is created
     * @param controllers that it needs
     * @param name of the group, unique on the machine
     */
    public ControlGroup(CgroupPaths parent, List<String> controllers, String name) {
        this.controllers = List.copyOf(controllers);
        group = parent.child(name);
    }

    /** Returns the group in which a group with this controller can be created; empty if there is no such controller, or it is not visible. */
    public static Optional<CgroupPaths> parent(String controller) {
        try {
            return CgroupPaths.parentOfOwn(controller);
        } catch (DetectException e) {
            return Optional.empty();
        }
    }

    /** Returns the group. */
    public CgroupPaths group() {
        return group;
    }

    /** Returns the directory of the group. */
    public Path directory() {
        return group.directory();
    }

    /**
     * Creates the group.
     *
     * @throws LabException if it cannot be created
     */
    public void create() {
        Path directory = directory();
        Guard keeper = new Guard();
        guard = keeper;
        Guard.Promise unused = keeper.toRun("remove the control group " + directory, group.removal());
        try {
            group.create(controllers);
        } catch (IOException e) {
            throw new LabException("cannot create the control group " + directory, e);
        }
    }

    /**
     * Writes a file of the group.
     *
     * @throws LabException if the kernel refuses
     */
    public void write(CgroupPaths.Entry entry, String text) {
        try {
            Files.writeString(group.file(entry), text);
        } catch (IOException e) {
            throw new LabException("cannot write '" + text + "' to " + group.file(entry), e);
        }
    }

    /** Removes the group; its processes have ended. */
    @Override
    public void close() {
        if (guard != null) {
            guard.close();
            guard = null;
        }
        if (Files.exists(directory())) {
            throw new LabException(
                    "the control group " + directory() + " could not be removed: a process is in it still");
        }
    }
}
