package org.naklab.messaging;

import static java.util.Objects.requireNonNull;

import io.aeron.driver.DefaultSendChannelEndpointSupplier;
import io.aeron.driver.SendChannelEndpointSupplier;
import java.util.EnumMap;
import java.util.Map;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.naklab.messaging.feed.FeedId;
import org.naklab.messaging.guard.ReceiveLink;

/** The part of a {@link MessagingContext.Context} that few need to touch: sizes, rates, and the seams to the wire. */
abstract class TransportSettings<T extends TransportSettings<T>> {
    /** LBT-RM's default {@code transport_lbtrm_retransmit_rate_limit}. */
    private static final long RETRANSMIT_BITS_PER_SECOND = 5_000_000;

    private final Map<Topic, Integer> mtuBytesByTopic = new EnumMap<>(Topic.class);
    private TransportProfile profile = TransportProfile.LBTRM;
    private int receiveBufferBytes;
    private int termBytes = 16 * 1024 * 1024;
    private long retransmitBitsPerSecond = RETRANSMIT_BITS_PER_SECOND;
    private long seed = 1;
    private NanoClock nanoClock = SystemNanoClock.INSTANCE;
    private SendChannelEndpointSupplier sendChannelEndpointSupplier = new DefaultSendChannelEndpointSupplier();
    private ReceiveLink.Factory receiveLinks = ReceiveLink.Factory.DIRECT;
    private long feedId = FeedId.UNKNOWN;

    abstract T self();

    public T profile(TransportProfile profile) {
        this.profile = requireNonNull(profile);
        return self();
    }

    public TransportProfile profile() {
        return profile;
    }

    /** SO_RCVBUF to ask for; 0: the profile's default. The kernel may grant less. */
    public T receiveBufferBytes(int bytes) {
        if (bytes != 0 && bytes < TransportProfile.MTU_BYTES) {
            throw new IllegalArgumentException("receive buffer must have room for a datagram of "
                    + TransportProfile.MTU_BYTES + " bytes: " + bytes);
        }
        this.receiveBufferBytes = bytes;
        return self();
    }

    public int receiveBufferBytes() {
        return receiveBufferBytes == 0 ? profile.receiveBufferBytes() : receiveBufferBytes;
    }

    /**
     * Length of one of the three terms of a publication's log, a power of two from 64 KiB. Half of it is the transmission
     * window: what a sender can still retransmit and a receiver can hold behind a gap. The log is sparse until it is used.
     */
    public T termBytes(int bytes) {
        this.termBytes = bytes;
        return self();
    }

    public int termBytes() {
        return termBytes;
    }

    /**
     * Longest UDP payload of a topic's datagrams, a multiple of 32. A sender puts as many waiting messages into a datagram
     * as fit; with room for one only, each message travels in a datagram of its own.
     */
    public T mtuBytes(Topic topic, int bytes) {
        mtuBytesByTopic.put(topic, bytes);
        return self();
    }

    public int mtuBytes(Topic topic) {
        return mtuBytesByTopic.getOrDefault(topic, TransportProfile.MTU_BYTES);
    }

    /** With {@link TransportProfile#LBTRM}: retransmission of all publications of this context together. */
    public T retransmitBitsPerSecond(long bitsPerSecond) {
        if (bitsPerSecond <= 0) {
            throw new IllegalArgumentException("retransmit rate must be positive: " + bitsPerSecond + " bit/s");
        }
        this.retransmitBitsPerSecond = bitsPerSecond;
        return self();
    }

    public long retransmitBitsPerSecond() {
        return retransmitBitsPerSecond;
    }

    /** Decides the NAK back-offs, together with the context's name. */
    public T seed(long seed) {
        this.seed = seed;
        return self();
    }

    public long seed() {
        return seed;
    }

    /** The clock of driver, timers and rate limits; must advance while the context runs. */
    public T nanoClock(NanoClock clock) {
        this.nanoClock = requireNonNull(clock);
        return self();
    }

    public NanoClock nanoClock() {
        return nanoClock;
    }

    /** Makes the sockets that data leaves by; the seam for faults on the sending side. */
    public T sendChannelEndpointSupplier(SendChannelEndpointSupplier supplier) {
        this.sendChannelEndpointSupplier = requireNonNull(supplier);
        return self();
    }

    public SendChannelEndpointSupplier sendChannelEndpointSupplier() {
        return sendChannelEndpointSupplier;
    }

    /** Makes what lies between receiving endpoints and their sockets; the seam for faults on the receiving side. */
    public T receiveLinks(ReceiveLink.Factory factory) {
        this.receiveLinks = requireNonNull(factory);
        return self();
    }

    ReceiveLink.Factory receiveLinks() {
        return receiveLinks;
    }

    /**
     * Announces the feed that the context is part of: its publications carry the id, and its subscriptions take that feed only,
     * from the sessions that follow from the id. {@link FeedId#UNKNOWN}, the default: publications carry no id, and each
     * subscription takes the feed of the first session that it hears.
     */
    public T feedId(long id) {
        this.feedId = id;
        return self();
    }

    public long feedId() {
        return feedId;
    }
}
