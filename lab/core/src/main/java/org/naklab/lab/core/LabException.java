package org.naklab.lab.core;

/**
 * The superclass of all failures that the lab expects: something outside the program keeps it from doing what it was asked. The message
 * is one clear line for its user.
 */
public class LabException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Tells who can do something about a failure; the command line derives its exit code from this. */
    public enum Kind {
        /** The request is impossible whatever the state of the machine. */
        WRONG_USAGE,
        /** Something that was named does not exist or cannot be used, such as an unreadable file. */
        INPUT,
        /** Something is taken for now; nothing has been started. */
        UNAVAILABLE,
        /** Anything else outside the program, such as a network without multicast; what the command was to do was not started. */
        ENVIRONMENT,
        /** What was begun came to no verdict. */
        NO_VERDICT
    }

    public LabException(String message) {
        super(message);
    }

    public LabException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Returns what kind of failure this is. */
    public Kind kind() {
        return Kind.ENVIRONMENT;
    }
}
