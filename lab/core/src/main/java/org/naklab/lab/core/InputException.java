package org.naklab.lab.core;

/** Says that something a command names does not exist or cannot be used: a file, a run, a process. The message is one clear line for its user. */
public final class InputException extends LabException {
    private static final long serialVersionUID = 1L;

    public InputException(String message) {
        super(message);
    }

    public InputException(String message, Throwable cause) {
        super(message, cause);
    }

    @Override
    public Kind kind() {
        return Kind.INPUT;
    }
}
