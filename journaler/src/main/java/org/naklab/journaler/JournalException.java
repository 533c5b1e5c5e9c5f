package org.naklab.journaler;

import org.jspecify.annotations.Nullable;

/** The journal, or a file derived from it, cannot be written or read; the message is one line that names the file. */
public final class JournalException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public JournalException(String message) {
        super(message);
    }

    public JournalException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
