package org.naklab.lab.records;

/**
 * Traffic on the ports of the topics that did not belong to the feed of the process.
 *
 * @param foreignDatagrams of another stream, session, source or feed
 * @param invalidDatagrams that no sender of the topics could have sent
 * @param rejectedMessages malformed, or with another feed's id
 * @param ignoredMessages of another schema, or of a template that is unknown here
 */
public record ForeignTrafficRecord(
        long foreignDatagrams, long invalidDatagrams, long rejectedMessages, long ignoredMessages) {}
