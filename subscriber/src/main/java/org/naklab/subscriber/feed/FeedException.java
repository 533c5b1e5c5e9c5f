package org.naklab.subscriber.feed;

/** The feed breaks its own rules, so that what was built from it is doubtful; the message is one line. */
public final class FeedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public FeedException(String message) {
        super(message);
    }
}
