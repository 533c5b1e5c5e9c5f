package org.naklab.messaging;

/**
 * Tells what the transport of one context did since its launch.
 *
 * @param errors errors that reached the error handler
 */
public record TransportStatistics(
        Repair repair, Limits limits, Bytes bytes, long errors, Foreign foreign, Order order) {
    /**
     * Counts the repair of losses.
     *
     * @param naksSent NAKs that its receivers sent
     * @param naksReceived NAKs that reached its publications
     * @param retransmitsSent NAKs that it answered
     * @param retransmittedBytes bytes that those answers brought back, headers included
     */
    public record Repair(long naksSent, long naksReceived, long retransmitsSent, long retransmittedBytes) {}

    /**
     * Counts what met a limit.
     *
     * @param receiverOverruns datagrams dropped because they lay beyond a receiver's window
     * @param receiverUnderruns datagrams dropped because their place had been passed, mostly duplicates
     * @param senderLimits times a publication stopped at the receivers' window; always 0 with {@link TransportProfile#LBTRM}
     * @param shortSends datagrams that the socket did not take whole
     */
    public record Limits(long receiverOverruns, long receiverUnderruns, long senderLimits, long shortSends) {}

    /**
     * Counts the bytes.
     *
     * @param bytesSent UDP payload
     * @param bytesReceived UDP payload
     */
    public record Bytes(long bytesSent, long bytesReceived) {}

    /**
     * Counts what was not of the topics.
     *
     * @param foreignDatagrams datagrams of another stream, session, source or feed than the one taken; dropped
     * @param invalidDatagrams datagrams that no sender of the topic could have sent; dropped
     */
    public record Foreign(long foreignDatagrams, long invalidDatagrams) {}

    /**
     * Counts the datagrams that did not come once and in order.
     *
     * @param overtakenDatagrams datagrams with new data that came in behind later ones: reordered, late, or sent again after a loss
     * @param repeatedDatagrams datagrams of which all data had come in before
     */
    public record Order(long overtakenDatagrams, long repeatedDatagrams) {}
}
