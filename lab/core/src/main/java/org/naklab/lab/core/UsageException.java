package org.naklab.lab.core;

/** What was asked for cannot be had, whatever the day; the message is one clear line that says what can. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }
}
