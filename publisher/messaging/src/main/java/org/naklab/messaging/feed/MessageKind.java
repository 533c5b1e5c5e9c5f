package org.naklab.messaging.feed;

/** Tells what a receiver of {@code OrderBookEvents} does with a message. */
public enum MessageKind {
    /** A sequenced message. */
    EVENT,
    HEARTBEAT,
    TRAILER,
    /** Of another schema, or of a template that a later version has added: left alone. */
    OTHER,
    /** Of this schema, but its lengths, its sequence, its quantity or an enumeration cannot be: never used. */
    MALFORMED;

    /** Returns whether a message of this kind belongs in a journal. */
    public boolean isJournaled() {
        return this == EVENT || this == TRAILER;
    }
}
