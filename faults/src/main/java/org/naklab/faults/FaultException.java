package org.naklab.faults;

/** A fault cannot be had: a parameter out of bounds, a seam or privilege that is not there. The message is one clear line. */
public final class FaultException extends RuntimeException {
    public FaultException(String message) {
        super(message);
    }

    public FaultException(String message, Throwable cause) {
        super(message, cause);
    }
}
