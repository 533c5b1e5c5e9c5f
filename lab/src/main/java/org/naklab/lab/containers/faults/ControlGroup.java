package org.naklab.lab.containers.faults;

import org.naklab.lab.LabException;
import org.naklab.lab.containers.Docker;

/**
 * A running container's control group, version 1 or 2, seen from a tool's container, since the engine may be on another machine
 * than the lab.
 */
final class ControlGroup {
    private final String container;
    private final String id;
    private final String controller;

    /** @param controller as version 1 names it */
    ControlGroup(String container, String controller) {
        this.container = container;
        this.controller = controller;
        Docker.Result result = Docker.attempt("inspect", "--format", "{{.Id}}", container);
        if (!result.succeeded()) {
            throw new LabException("no fault in " + container + ": " + result.lastLine());
        }
        id = result.output();
    }

    /** Runs a script for which {@code $g} is the group's directory, and {@code $v} the version. */
    Docker.Result attempt(String script) {
        return Tool.withControlGroups(found(script));
    }

    /** The same in a container with a name, so that it can be taken away before it ends. */
    Docker.Result attempt(String toolName, String script) {
        return Tool.withControlGroups(toolName, found(script));
    }

    private String found(String script) {
        return "v=1; [ -e /cgroup/cgroup.controllers ] && v=2; "
                + "g=$(find /cgroup/" + controller + " /cgroup -maxdepth 6 -type d -name '*" + id
                + "*' 2>/dev/null | head -n 1); "
                + "[ -n \"$g\" ] || { echo 'No such container among the control groups'; exit 1; }; " + script;
    }

    String run(String script) {
        return Tool.outputOf(attempt(script), "the control group of " + container);
    }
}
