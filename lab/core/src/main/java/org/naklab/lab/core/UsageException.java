package org.naklab.lab.core;

/** Wrong usage: the request is impossible regardless of the machine's state; the message is one line that states what is possible. */
public final class UsageException extends LabException {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }

    @Override
    public Kind kind() {
        return Kind.WRONG_USAGE;
    }
}
