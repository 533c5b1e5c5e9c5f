package org.naklab.lab.records;

import java.util.ArrayList;
import java.util.List;
import org.naklab.lab.core.Format;

/**
 * Counts what reached a process on the topics' ports and was not of its feed. None of it was used; that it came makes the run
 * doubtful, because nobody on the wire is authenticated.
 *
 * @param foreignDatagrams of another stream, session, source or feed
 * @param invalidDatagrams that no sender of the topics could have sent
 * @param rejectedMessages malformed, or with another feed's id
 * @param ignoredMessages of another schema, or of a template that is unknown here
 */
public record ForeignTrafficRecord(
        long foreignDatagrams, long invalidDatagrams, long rejectedMessages, long ignoredMessages) {
    /** The counts where nothing foreign came. */
    public static final ForeignTrafficRecord NONE = new ForeignTrafficRecord(0, 0, 0, 0);

    /** Says what came and how often. */
    public String describe() {
        List<String> parts = new ArrayList<>();
        add(parts, foreignDatagrams, "foreign datagram");
        add(parts, invalidDatagrams, "invalid datagram");
        add(parts, rejectedMessages, "rejected message");
        add(parts, ignoredMessages, "ignored message");
        return parts.isEmpty() ? "none" : String.join(", ", parts);
    }

    private static void add(List<String> parts, long count, String what) {
        if (count > 0) {
            parts.add(Format.counted(count, what));
        }
    }
}
