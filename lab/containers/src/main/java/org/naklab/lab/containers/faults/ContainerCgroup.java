package org.naklab.lab.containers.faults;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.naklab.lab.containers.Docker;
import org.naklab.lab.containers.HelperContainer;
import org.naklab.lab.containers.Undo;
import org.naklab.lab.instruments.linux.CgroupPaths;
import org.naklab.lab.instruments.linux.CgroupPaths.Entry;

/**
 * A running container's control group, version 1 or 2, seen from a tool's container, since the engine may be on another machine
 * than the lab.
 */
final class ContainerCgroup {
    /** Prints what the group uses but for pages of files on a disk, which the kernel can take back, bytes. */
    static final String MEMORY_WITHOUT_PAGE_CACHE =
            ofEitherVersion(group -> "awk -v used=\"$(cat " + group.file(Entry.MEMORY_USED) + ")\" '/^("
                    + group.memoryStatistic("active_file") + '|' + group.memoryStatistic("inactive_file")
                    + ")/ {used -= $2} END {printf \"%.0f\\n\", used}' " + group.file(Entry.MEMORY_STATISTICS));

    /** Lets the highest use begin anew, where the kernel tells it. */
    static final String RESET_HIGHEST_USE =
            ofEitherVersion(group -> group.countsAllLimitHits() ? ":" : "echo 0 >" + group.file(Entry.MEMORY_HIGHEST))
                    + "; ";

    /**
     * Prints how often the memory was at its limit, and the highest use, bytes, or 0. Under version 1, a limit with as much swap as without is met at the second
     * counter, and never at the first.
     */
    static final String LIMIT_HITS_AND_HIGHEST_USE = ofEitherVersion(group -> group.countsAllLimitHits()
            ? "awk '$1 == \"max\" {print $2, 0}' " + group.file(Entry.MEMORY_LIMIT_HITS)
            : "echo $(cat " + group.file(Entry.MEMORY_LIMIT_HITS) + ' '
                    + group.file(Entry.MEMORY_AND_SWAP_LIMIT_HITS)
                    + " 2>/dev/null | awk '{s += $1} END {print s + 0}') $(cat "
                    + group.file(Entry.MEMORY_HIGHEST) + ')');

    private final String container;
    private final String id;
    private final String controller;

    /** @param controller as version 1 names it */
    ContainerCgroup(String container, String controller) {
        this.container = container;
        this.controller = controller;
        id = HelperContainer.idOf(container);
    }

    /**
     * Returns a script that does what the version in force needs, without an end.
     *
     * @param script for a group of one version
     */
    static String ofEitherVersion(Function<CgroupPaths, String> script) {
        Path group = Path.of("$g");
        return "if [ $v = 2 ]; then " + script.apply(new CgroupPaths(group, 2)) + "; else "
                + script.apply(new CgroupPaths(group, 1)) + "; fi";
    }

    /** Returns the container's id. */
    String container() {
        return id;
    }

    /** Runs a script for which {@code $g} is the group's directory, and {@code $v} the version. */
    Docker.Result attempt(String script) {
        return HelperContainer.withControlGroups(found(script));
    }

    /** Runs the script in a container of that name, so that the container can be removed before it ends. */
    Docker.Result attempt(String toolName, String script) {
        return HelperContainer.withControlGroups(toolName, found(script));
    }

    /** Promises to undo an act by a script; before the act. */
    Undo promise(String what, String script) {
        List<String> words = new ArrayList<>(List.of(id, "docker"));
        words.addAll(HelperContainer.commandWithControlGroups(found(script)));
        // No tool for a container that is gone.
        return Undo.promise(what, "existing docker inspect \"$1\"; shift; undoing \"$@\"", words);
    }

    private String found(String script) {
        return "v=1; [ -e " + new CgroupPaths(Path.of("/cgroup"), 2).file(Entry.CONTROLLERS) + " ] && v=2; "
                + "g=$(find /cgroup/" + controller + " /cgroup -maxdepth 6 -type d -name '*" + id
                + "*' 2>/dev/null | head -n 1); "
                + "[ -n \"$g\" ] || { echo 'No such container among the control groups'; exit 1; }; " + script;
    }

    String run(String script) {
        return attempt(script).outputOrThrow("the control group of " + container);
    }
}
