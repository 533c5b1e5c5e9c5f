package org.naklab.lab.runs.record;

/**
 * What reached a process on the topics' ports and was not of its feed.
 *
 * @param foreignDatagrams of another stream, session, source or feed
 * @param invalidDatagrams that no sender of the topics could have sent
 * @param rejectedMessages malformed, or with another feed's id
 * @param ignoredMessages of another schema, or of a template that is unknown here
 */
public record ForeignTrafficRecord(
        long foreignDatagrams, long invalidDatagrams, long rejectedMessages, long ignoredMessages) {}
