package org.naklab.lab.studies.simulation;

import org.jspecify.annotations.Nullable;
import org.naklab.messaging.lbtrm.RetransmitLimiter;

/** Answers NAKs as Aeron's RetransmitHandler does: a NAK within what was sent again a short time ago is ignored. */
final class SimulatedSender {
    /** Tells why a NAK was answered or not. */
    enum Answer {
        SENT,
        IGNORED,
        /** Too many retransmissions are remembered. */
        OVERFLOWED,
        /** The retransmission's limit leaves nothing. */
        LIMITED,
        /** The sender no longer has the data. */
        TOO_OLD
    }

    private final RepairSettings settings;
    private final int datagramBytes;
    private final int keptDatagrams;
    private final @Nullable RetransmitLimiter limiter;

    private final int[] begins;
    private final long[] endBytes;
    private final long[] expiryNs;
    private long retransmittedBytes;
    private int answerEnd;

    SimulatedSender(RepairSettings settings, int datagramBytes) {
        this.settings = settings;
        this.datagramBytes = datagramBytes;
        keptDatagrams = Math.toIntExact(settings.buffers().keptBytes() / datagramBytes);
        limiter = settings.answering().retransmitBitsPerSecond() == 0
                ? null
                : new RetransmitLimiter(settings.answering().retransmitBitsPerSecond(), 0, datagramBytes);
        begins = new int[settings.answering().maxRetransmits()];
        endBytes = new long[settings.answering().maxRetransmits()];
        expiryNs = new long[settings.answering().maxRetransmits()];
    }

    /**
     * Takes a NAK.
     *
     * @param sent the number after that of the newest datagram
     */
    Answer onNak(int begin, int end, int sent, long nowNs) {
        long lengthBytes = Math.min(
                (long) (end - begin) * datagramBytes, settings.answering().maxAnswerBytes());
        if (limiter != null) {
            lengthBytes = Math.min(lengthBytes, limiter.availableBytes(nowNs, retransmittedBytes));
        }
        int free = -1;
        for (int i = begins.length - 1; i >= 0; i--) {
            if (expiryNs[i] <= nowNs) {
                free = i;
            } else if (begins[i] <= begin && (long) begin * datagramBytes < endBytes[i]) {
                return Answer.IGNORED;
            }
        }
        if (free < 0) {
            return Answer.OVERFLOWED;
        }
        begins[free] = begin;
        endBytes[free] = (long) begin * datagramBytes + lengthBytes;
        expiryNs[free] = nowNs + settings.asking().ignoreNs();
        if (begin < sent - keptDatagrams) {
            return Answer.TOO_OLD;
        }
        int datagrams = (int) (lengthBytes / datagramBytes);
        if (datagrams == 0) {
            return Answer.LIMITED;
        }
        retransmittedBytes += (long) datagrams * datagramBytes;
        answerEnd = begin + datagrams;
        return Answer.SENT;
    }

    /** Returns the end of what the last answer that was sent brings back. */
    int answerEnd() {
        return answerEnd;
    }

    long retransmittedBytes() {
        return retransmittedBytes;
    }
}
