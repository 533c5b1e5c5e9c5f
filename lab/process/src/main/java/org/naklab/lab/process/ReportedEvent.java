package org.naklab.lab.process;

/**
 * An event, and who reported it.
 *
 * @param process name
 */
public record ReportedEvent(String process, ProcessEvent event) {}
