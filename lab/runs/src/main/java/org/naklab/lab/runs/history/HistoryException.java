package org.naklab.lab.runs.history;

/** The history cannot be written or read; the message is one clear line for its user, without credentials. */
public final class HistoryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    HistoryException(String message) {
        super(message);
    }

    HistoryException(String message, Throwable cause) {
        super(message, cause);
    }
}
