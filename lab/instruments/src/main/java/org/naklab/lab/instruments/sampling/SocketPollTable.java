package org.naklab.lab.instruments.sampling;

import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.instruments.linux.NativeMemory;
import org.naklab.lab.instruments.linux.NativeSampler;

/**
 * Some sockets that {@link NativeSampler} looks at, and what it has seen: a record for each look at a socket whose figures had changed.
 * {@code naklab_sampler.c} has the same table. Whoever looks also takes the records; no two threads at once.
 *
 * <pre>
 *  0 sockets:32  4 room for records:32  8 records:32  12 looks since they were taken:32  16 last look:64  24 next look:64
 * 32 pidfd:32  36 turn:32
 * 40 { owner's descriptor:32  state:32  cookie:64  measured:64  depth:32  limit:32  tx depth:32  drops:32 } for each socket
 *    { time:64  time of the measurement before:64  socket:32  depth:32  limit:32  tx depth:32  drops:32  unused:32 } for each record
 * </pre>
 */
public final class SocketPollTable {
    private static final int SOCKETS = 0;
    private static final int CAPACITY = 4;
    private static final int RECORDS = 8;
    private static final int LOOKS = 12;
    private static final int LAST_LOOK = 16;
    private static final int NEXT_LOOK = 24;
    private static final int PIDFD = 32;
    private static final int HEADER_LENGTH = 40;

    private static final int STATE = 4;
    private static final int COOKIE = 8;
    private static final int MEASURED = 16;
    private static final int SOCKET_LENGTH = 40;

    private static final int GONE = -1;

    /** Offset of the time in a record. */
    private static final int TIME = 0;

    private static final int PREVIOUS_TIME = 8;
    private static final int SOCKET = 16;
    private static final int DEPTH = 20;
    private static final int LIMIT = 24;
    private static final int TX_DEPTH = 28;
    private static final int DROPS = 32;
    private static final int RECORD_LENGTH = 40;

    /** Some ticks' worth, if all of them change all the time. */
    private static final int RECORDS_PER_SOCKET = 8;

    private static final int LEAST_RECORDS = 512;

    /** A time long past: everything due since then is due now, and the difference still fits. */
    private static final long NEVER_NS = Long.MIN_VALUE / 2;

    /** A socket of which nothing new is known says nothing new. */
    private static final long ALL_PERIOD_NS = 100 * Instrument.MILLISECOND_NS;

    private final MonitoredSocket[] sockets;
    private final NativeMemory memory;
    private final UnsafeBuffer view;
    private final int recordsOffset;
    private final long[] handedOverNs;
    private long lastOfAllNs = NEVER_NS;

    /**
     * Creates a pollTable of sockets.
     *
     * @param pidfd of the process that has the sockets; -1: this one
     * @param sockets each with a descriptor of that process
     */
    public SocketPollTable(int pidfd, MonitoredSocket[] sockets) {
        this.sockets = sockets.clone();
        handedOverNs = new long[sockets.length];
        int capacity = Math.max(LEAST_RECORDS, RECORDS_PER_SOCKET * sockets.length);
        recordsOffset = HEADER_LENGTH + sockets.length * SOCKET_LENGTH;
        memory = new NativeMemory(recordsOffset + capacity * RECORD_LENGTH);
        view = memory.view();
        view.putInt(SOCKETS, sockets.length);
        view.putInt(CAPACITY, capacity);
        view.putLong(LAST_LOOK, NEVER_NS);
        view.putLong(NEXT_LOOK, NEVER_NS);
        view.putInt(PIDFD, pidfd);
        for (int i = 0; i < sockets.length; i++) {
            view.putInt(offsetOf(i), sockets[i].ownersDescriptor());
            view.putLong(offsetOf(i) + COOKIE, sockets[i].cookie());
            handedOverNs[i] = NEVER_NS;
        }
    }

    long address() {
        return memory.address();
    }

    /** Looks now. */
    public void look(long nowNs) {
        NativeSampler.look(memory.address(), nowNs);
    }

    /** Looks now, unless somebody has since the records were last taken. */
    public void lookIfNobodyHas(long nowNs) {
        if (view.getInt(LOOKS) == 0) {
            look(nowNs);
        }
    }

    /**
     * Hands over each change in its order, before and after it, and at the end the sockets as they were at the last look: those with
     * something in them each time, the others now and then.
     *
     * @param consumer called with a socket's figures and the time at which they were so
     */
    public void take(FiguresConsumer consumer) {
        int records = view.getInt(RECORDS);
        for (int i = 0; i < records; i++) {
            int offset = recordsOffset + i * RECORD_LENGTH;
            int index = view.getInt(offset + SOCKET);
            MonitoredSocket socket = sockets[index];
            long timeNs = view.getLong(offset + TIME);
            long previousNs = view.getLong(offset + PREVIOUS_TIME);
            if (previousNs != timeNs && previousNs != handedOverNs[index]) {
                consumer.onFigures(previousNs, socket);
            }
            socket.update(
                    unsigned(offset + DEPTH),
                    unsigned(offset + LIMIT),
                    unsigned(offset + TX_DEPTH),
                    unsigned(offset + DROPS));
            consumer.onFigures(timeNs, socket);
            handedOverNs[index] = timeNs;
        }
        if (view.getInt(LOOKS) > 0) {
            noteClosed();
            handOverUnchanged(view.getLong(LAST_LOOK), consumer);
        }
        view.putInt(RECORDS, 0);
        view.putInt(LOOKS, 0);
    }

    private void noteClosed() {
        for (int i = 0; i < sockets.length; i++) {
            if (view.getInt(offsetOf(i) + STATE) == GONE) {
                sockets[i].close();
            }
        }
    }

    private void handOverUnchanged(long lastLookNs, FiguresConsumer consumer) {
        boolean all = lastLookNs - lastOfAllNs >= ALL_PERIOD_NS;
        if (all) {
            lastOfAllNs = lastLookNs;
        }
        for (int i = 0; i < sockets.length; i++) {
            MonitoredSocket socket = sockets[i];
            long measuredNs = view.getLong(offsetOf(i) + MEASURED);
            if ((all || socket.depthBytes() > 0) && !socket.isClosed() && measuredNs != handedOverNs[i]) {
                consumer.onFigures(measuredNs, socket);
                handedOverNs[i] = measuredNs;
            }
        }
    }

    private static int offsetOf(int index) {
        return HEADER_LENGTH + index * SOCKET_LENGTH;
    }

    private long unsigned(int offset) {
        return Integer.toUnsignedLong(view.getInt(offset));
    }

    /** An instrument with sockets that the sampler may poll between two samples. */
    public interface Owner {
        /** Returns the sockets to poll, {@code null} if there are none. Called on the sampler's thread before each sleep. */
        @Nullable
        SocketPollTable pollTable();
    }

    /** Receives the figures of sockets. Called on the sampling thread; must not allocate. */
    @FunctionalInterface
    public interface FiguresConsumer {
        /**
         * Receives a socket.
         *
         * @param timeNs the time of the figures
         */
        void onFigures(long timeNs, MonitoredSocket socket);
    }
}
