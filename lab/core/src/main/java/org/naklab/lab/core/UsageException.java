package org.naklab.lab.core;

/** Wrong usage: the request is impossible regardless of the machine's state; the message is one line that states what is possible. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }
}
