package org.naklab.lab.records;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a process's transport; in {@code run.json} those after the warm-up.
 *
 * @param naksSent by its receivers
 * @param naksReceived by its senders
 * @param retransmitsSent NAKs answered
 * @param retransmittedBytes that those answers brought back, headers included
 * @param receiverOverruns datagrams beyond the receiver's window, dropped by the transport
 * @param errors that reached the transport's error handler
 * @param order of the datagrams
 */
public record TransportRecord(
        long naksSent,
        long naksReceived,
        long retransmitsSent,
        long retransmittedBytes,
        long receiverOverruns,
        long errors,
        @JsonUnwrapped Order order) {
    /** The counters of a transport that sent and received nothing. */
    static final TransportRecord NONE = new TransportRecord(0, 0, 0, 0, 0, 0, new Order(null, null));

    /**
     * The datagrams that did not come once and in order.
     *
     * @param overtakenDatagrams with new data, that came in behind later ones: reordered, late, or sent again after a loss; {@code null}: not counted
     * @param repeatedDatagrams of which all data had come in before; {@code null}: not counted
     */
    public record Order(
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Long overtakenDatagrams,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Long repeatedDatagrams) {
        /** Returns the number of overtaken datagrams; 0 if they were not counted. */
        public long overtaken() {
            return overtakenDatagrams == null ? 0 : overtakenDatagrams;
        }

        /** Returns the number of repeated datagrams; 0 if they were not counted. */
        public long repeated() {
            return repeatedDatagrams == null ? 0 : repeatedDatagrams;
        }

        private Order since(Order earlier) {
            return new Order(
                    known(overtakenDatagrams, earlier.overtakenDatagrams, Math::subtractExact),
                    known(repeatedDatagrams, earlier.repeatedDatagrams, Math::subtractExact));
        }

        private Order plus(Order other) {
            return new Order(
                    known(overtakenDatagrams, other.overtakenDatagrams, Math::addExact),
                    known(repeatedDatagrams, other.repeatedDatagrams, Math::addExact));
        }

        /** Of two counts one of which is not known, no sum and no difference is. */
        private static @Nullable Long known(@Nullable Long one, @Nullable Long other, LongBinaryOperator operator) {
            return one == null || other == null ? null : operator.applyAsLong(one, other);
        }
    }

    /** Makes the record of a transport whose datagrams came in order, each once. */
    public TransportRecord(
            long naksSent,
            long naksReceived,
            long retransmitsSent,
            long retransmittedBytes,
            long receiverOverruns,
            long errors) {
        this(naksSent, naksReceived, retransmitsSent, retransmittedBytes, receiverOverruns, errors, new Order(0L, 0L));
    }

    /** Returns the counts since an earlier record. Errors are counted from the start, because an error is relevant whenever it occurs. */
    public TransportRecord since(TransportRecord earlier) {
        return new TransportRecord(
                naksSent - earlier.naksSent,
                naksReceived - earlier.naksReceived,
                retransmitsSent - earlier.retransmitsSent,
                retransmittedBytes - earlier.retransmittedBytes,
                receiverOverruns - earlier.receiverOverruns,
                errors,
                order.since(earlier.order));
    }

    /** Returns the counts of two transports of one process. */
    public TransportRecord plus(TransportRecord other) {
        return new TransportRecord(
                naksSent + other.naksSent,
                naksReceived + other.naksReceived,
                retransmitsSent + other.retransmitsSent,
                retransmittedBytes + other.retransmittedBytes,
                receiverOverruns + other.receiverOverruns,
                errors + other.errors,
                order.plus(other.order));
    }
}
