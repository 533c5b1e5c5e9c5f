package org.naklab.lab.core;

/** Says that what was begun came to no verdict. The message is one clear line for its user. */
public final class NoVerdictException extends LabException {
    private static final long serialVersionUID = 1L;

    public NoVerdictException(String message, Throwable cause) {
        super(message, cause);
    }

    @Override
    public Kind kind() {
        return Kind.NO_VERDICT;
    }
}
