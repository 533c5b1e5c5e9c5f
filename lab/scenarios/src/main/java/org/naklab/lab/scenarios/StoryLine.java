package org.naklab.lab.scenarios;

import java.util.ArrayList;
import java.util.List;

/**
 * A line of the summary of a run.
 *
 * @param head the word that it is about
 * @param parts of one sentence, or one command each; at least one
 * @param holdsCommands whether the parts are commands, which stay whole to be copied
 */
public record StoryLine(String head, List<String> parts, boolean holdsCommands) {
    public StoryLine {
        parts = List.copyOf(parts);
    }

    /** Makes a finding of one sentence; its parts are those that the run's record breaks it into. */
    public static StoryLine sentence(String head, String... parts) {
        return new StoryLine(head, List.of(parts), false);
    }

    /** Makes a list of commands, each with what it is for. */
    public static StoryLine commands(String head, String... commands) {
        return new StoryLine(head, List.of(commands), true);
    }

    /** Returns the whole sentence, or all commands. */
    public String text() {
        return String.join(" ", parts);
    }

    /** Returns its lines as the run's record has them: the head stands on the first. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (String part : parts) {
            lines.add(String.format("%-9s%s", lines.isEmpty() ? head : "", part));
        }
        return lines;
    }
}
