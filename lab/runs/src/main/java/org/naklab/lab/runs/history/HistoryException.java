package org.naklab.lab.runs.history;

import org.naklab.lab.core.LabException;

/** The history cannot be written or read; the message is one clear line for its user, without credentials. */
public final class HistoryException extends LabException {
    private static final long serialVersionUID = 1L;

    private final boolean isMissing;

    /** Creates an exception for what is not there. */
    HistoryException(String message) {
        super(message);
        isMissing = true;
    }

    HistoryException(String message, Throwable cause) {
        super(message, cause);
        isMissing = false;
    }

    @Override
    public Kind kind() {
        return isMissing ? Kind.INPUT : Kind.ENVIRONMENT;
    }
}
