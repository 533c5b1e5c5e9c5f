package org.naklab.lab.replica.process;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One line that a child process reported.
 *
 * @param process the child's name
 * @param event what it says happened
 * @param atNs when, by the child's {@link System#nanoTime()}: one clock for all processes of a Linux machine
 */
public record ProcessEvent(String process, String event, long atNs, JsonNode details) {
    /** Of a line that has been parsed. */
    public static ProcessEvent of(String process, JsonNode line) {
        return new ProcessEvent(
                process, line.path("event").asText(), line.path("atNs").asLong(), line);
    }
}
