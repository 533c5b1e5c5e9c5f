package org.naklab.exchange.flow;

/** A source of order flow is bad; the message is one line that an operator can act on. */
public final class OrderFlowException extends RuntimeException {
    private static final int MAX_SHOWN_LENGTH = 40;

    public OrderFlowException(String message) {
        super(message);
    }

    public OrderFlowException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Foreign text made fit for a one-line message: quoted, short, and printable ASCII only. */
    public static String shown(String text) {
        String printable = text.replaceAll("[^\\x20-\\x7e]", "?");
        return printable.length() <= MAX_SHOWN_LENGTH
                ? '\'' + printable + '\''
                : '\'' + printable.substring(0, MAX_SHOWN_LENGTH) + "…'";
    }
}
