package org.naklab.lab.process;

import java.util.Optional;

/**
 * A line from the lab to a child process.
 *
 * @param rest what stands behind the command; empty for most commands
 */
public record ControlLine(ControlCommand command, String rest) {
    /** Returns the command of a line; empty if the line is none. */
    static Optional<ControlLine> of(String line) {
        String[] words = line.split(" ", 2);
        return ControlCommand.of(words[0]).map(command -> new ControlLine(command, words.length > 1 ? words[1] : ""));
    }
}
