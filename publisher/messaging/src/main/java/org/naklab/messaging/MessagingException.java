package org.naklab.messaging;

/** The transport cannot do what it was asked to; the message is one line that an operator can act upon. */
public final class MessagingException extends RuntimeException {
    public MessagingException(String message) {
        super(message);
    }

    public MessagingException(String message, Throwable cause) {
        super(message, cause);
    }
}
