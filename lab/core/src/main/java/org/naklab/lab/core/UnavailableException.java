package org.naklab.lab.core;

/** Something that a command needs is taken for now; nothing has been started. The message is one clear line for its user. */
public final class UnavailableException extends LabException {
    private static final long serialVersionUID = 1L;

    public UnavailableException(String message) {
        super(message);
    }

    public UnavailableException(String message, Throwable cause) {
        super(message, cause);
    }

    @Override
    public Kind kind() {
        return Kind.UNAVAILABLE;
    }
}
