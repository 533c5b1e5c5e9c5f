package org.naklab.messaging;

/**
 * What the transport of one context did since its launch.
 *
 * @param naksSent NAKs that its receivers sent
 * @param naksReceived NAKs that reached its publications
 * @param retransmitsSent NAKs that it answered
 * @param retransmittedBytes bytes that those answers brought back, headers included
 * @param receiverOverruns datagrams dropped because they lay beyond a receiver's window
 * @param receiverUnderruns datagrams dropped because their place had been passed, mostly duplicates
 * @param senderLimits times a publication stopped at the receivers' window; always 0 with {@link TransportProfile#LBTRM}
 * @param shortSends datagrams that the socket did not take whole
 * @param bytesSent UDP payload
 * @param bytesReceived UDP payload
 * @param errors errors that reached the error handler
 * @param foreignDatagrams datagrams of another stream, session, source or feed than the one taken; dropped
 * @param invalidDatagrams datagrams that no sender of the topic could have sent; dropped
 * @param overtakenDatagrams datagrams with new data that came in behind later ones: reordered, late, or sent again after a loss
 * @param repeatedDatagrams datagrams of which all data had come in before
 */
public record TransportStatistics(
        long naksSent,
        long naksReceived,
        long retransmitsSent,
        long retransmittedBytes,
        long receiverOverruns,
        long receiverUnderruns,
        long senderLimits,
        long shortSends,
        long bytesSent,
        long bytesReceived,
        long errors,
        long foreignDatagrams,
        long invalidDatagrams,
        long overtakenDatagrams,
        long repeatedDatagrams) {}
