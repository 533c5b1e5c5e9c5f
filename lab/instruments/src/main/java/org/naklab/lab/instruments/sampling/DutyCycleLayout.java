package org.naklab.lab.instruments.sampling;

import org.naklab.lab.instruments.series.IntervalRing;

/**
 * A heartbeat file.
 *
 * <pre>
 *    0 magic and version:64   8 pid:64   16 gap threshold in ns:64   24 callback threshold in ns:64
 *  128 last beat in ns:64   136 beats:64                                      written in every duty cycle, lines of their own
 *  256 callbacks:64   264 their time in ns:64                                  told with the beat
 *  272 messages behind, of the slowest consumer of the ring:64   280 messages behind, of the journal:64
 *  384 gaps between beats, those over the threshold                            {@link IntervalRing}
 *    . callbacks, those over the threshold                                     {@link IntervalRing}
 * </pre>
 */
public final class DutyCycleLayout {
    public static final long MAGIC = 0x4e414b4c41420002L;
    /** Last beat of a thread that has not begun, or has ended in order. */
    public static final long NOT_BEATING = Long.MIN_VALUE;

    public static final int PID_OFFSET = 8;
    public static final int GAP_THRESHOLD_OFFSET = 16;
    public static final int CALLBACK_THRESHOLD_OFFSET = 24;
    public static final int LAST_BEAT_OFFSET = 128;
    public static final int BEATS_OFFSET = 136;
    public static final int CALLBACKS_OFFSET = 256;
    public static final int CALLBACK_TIME_OFFSET = 264;
    public static final int RING_DEPTH_OFFSET = 272;
    public static final int JOURNAL_LAG_OFFSET = 280;
    public static final int GAPS_OFFSET = 384;
    public static final int SLOW_CALLBACKS_OFFSET = GAPS_OFFSET + IntervalRing.LENGTH;
    public static final int LENGTH = SLOW_CALLBACKS_OFFSET + IntervalRing.LENGTH;

    private DutyCycleLayout() {}
}
