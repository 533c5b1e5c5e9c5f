package org.naklab.messaging.publication;

/** Messages are never fragmented: each fits one datagram. */
final class MessageLength {
    static void requireFits(int length, int maxPayloadLength) {
        if (length < 0 || length > maxPayloadLength) {
            throw new IllegalArgumentException(
                    "a message must have 0 to " + maxPayloadLength + " bytes to fit one datagram: " + length);
        }
    }

    private MessageLength() {}
}
