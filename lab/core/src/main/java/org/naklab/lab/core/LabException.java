package org.naklab.lab.core;

/** Something outside the program keeps it from doing what it was asked; the message is one clear line for its user. */
public class LabException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public LabException(String message) {
        super(message);
    }

    public LabException(String message, Throwable cause) {
        super(message, cause);
    }
}
