package org.naklab.lab.runs.history;

import org.naklab.lab.core.LabException;

/** The history cannot be written or read; the message is one clear line for its user, without credentials. */
public final class HistoryException extends LabException {
    private static final long serialVersionUID = 1L;

    HistoryException(String message) {
        super(message);
    }

    HistoryException(String message, Throwable cause) {
        super(message, cause);
    }
}
