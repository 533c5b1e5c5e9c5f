package org.naklab.lab.studies.simulation;

import java.util.concurrent.TimeUnit;
import org.naklab.messaging.TransportProfile;

/**
 * Tells what decides how losses are repaired: a transport's settings.
 */
public record RepairSettings(Asking asking, Answering answering, Buffers buffers) {
    /**
     * Describes when a receiver asks, and the sender listens.
     *
     * @param backOff of the NAKs
     * @param ignoreNs a NAK for what was sent again this short ago is ignored, ns
     * @param suppressNs a receiver whose NAK was ignored is told so, and asks no more for this long, ns; 0: it is not told
     */
    public record Asking(NakBackOff backOff, long ignoreNs, long suppressNs) {}

    /**
     * Limits the answers.
     *
     * @param maxRetransmits retransmissions that are remembered to ignore NAKs; further NAKs are dropped
     * @param retransmitBitsPerSecond limit of the retransmission; 0: none
     * @param maxAnswerBytes sent again at most for one NAK
     */
    public record Answering(int maxRetransmits, long retransmitBitsPerSecond, long maxAnswerBytes) {}

    /**
     * Contains the sizes of the buffers.
     *
     * @param receiveBufferBytes SO_RCVBUF of all sockets
     * @param windowBytes what a receiver takes behind a gap, and, if the receivers limit the sender, what the fastest one lets it send
     * @param keptBytes what the sender can still send again
     * @param isSenderLimited whether the fastest receiver's window limits the sender
     */
    public record Buffers(int receiveBufferBytes, long windowBytes, long keptBytes, boolean isSenderLimited) {}

    private static final long TERM_BYTES = 16L << 20;
    private static final int MAX_RETRANSMITS = 16;
    private static final long IGNORE_NS = TimeUnit.MILLISECONDS.toNanos(10);
    /** Aeron sends again four windows for one NAK, see {@code FlowControl.calculateRetransmissionLength}. */
    private static final int ANSWER_WINDOWS = 4;

    /** Returns Aeron's defaults with multicast, or those of the lab's LBT-RM profile. */
    public static RepairSettings of(TransportProfile profile) {
        int buffer = profile.receiveBufferBytes();
        return switch (profile) {
            case AERON ->
                new RepairSettings(
                        new RepairSettings.Asking(
                                new NakBackOff.Optimal(TimeUnit.MILLISECONDS.toNanos(10), 10), IGNORE_NS, 0),
                        new RepairSettings.Answering(MAX_RETRANSMITS, 0, (long) ANSWER_WINDOWS * buffer),
                        new RepairSettings.Buffers(buffer, buffer, TERM_BYTES / 2, true));
            case LBTRM ->
                new RepairSettings(
                        new RepairSettings.Asking(
                                new NakBackOff.Uniform(
                                        TimeUnit.MILLISECONDS.toNanos(50), TimeUnit.MILLISECONDS.toNanos(200)),
                                IGNORE_NS,
                                0),
                        new RepairSettings.Answering(MAX_RETRANSMITS, 5_000_000, TERM_BYTES),
                        new RepairSettings.Buffers(buffer, TERM_BYTES / 2, TERM_BYTES / 2, false));
        };
    }

    public RepairSettings withBackOff(NakBackOff other) {
        return new RepairSettings(
                new RepairSettings.Asking(other, asking.ignoreNs(), asking.suppressNs()), answering, buffers);
    }

    public RepairSettings withIgnoring(long ignoredNs, long suppressedNs) {
        return new RepairSettings(
                new RepairSettings.Asking(asking.backOff(), ignoredNs, suppressedNs), answering, buffers);
    }

    public RepairSettings withRetransmitLimit(long bitsPerSecond) {
        return new RepairSettings(
                asking,
                new RepairSettings.Answering(answering.maxRetransmits(), bitsPerSecond, answering.maxAnswerBytes()),
                buffers);
    }

    public RepairSettings withMaxRetransmits(int retransmits) {
        return new RepairSettings(
                asking,
                new RepairSettings.Answering(
                        retransmits, answering.retransmitBitsPerSecond(), answering.maxAnswerBytes()),
                buffers);
    }

    /** Aeron's receiver window follows the buffer: it may not be larger, and a smaller one would leave the buffer unused. */
    public RepairSettings withReceiveBuffer(int bytes) {
        return new RepairSettings(
                asking,
                answering,
                new RepairSettings.Buffers(
                        bytes,
                        buffers.isSenderLimited() ? bytes : buffers.windowBytes(),
                        buffers.keptBytes(),
                        buffers.isSenderLimited()));
    }
}
