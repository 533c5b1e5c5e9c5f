package org.naklab.lab.studies.simulation;

import java.util.Arrays;

/** Tells what one receiver misses. Datagrams have numbers, and a range of them excludes its end. */
final class SimulatedReceiver {
    static final int NONE = -1;

    /** Is told of each repair. */
    @FunctionalInterface
    interface RepairListener {
        /** Handles the repair of that many datagrams of a gap which the receiver has seen since then. */
        void onRepair(SimulatedReceiver receiver, long sinceNs, int datagrams);
    }

    private final int number;
    private final int windowDatagrams;
    private final RepairListener listener;

    private int[] begins = new int[4];
    private int[] ends = new int[4];
    private long[] sinceNs = new long[4];
    private int gaps;
    /** The number after the highest that came in. */
    private int next;

    /** The gap that a NAK is due for; only the first gap is asked for, as Aeron's LossDetector does. */
    private int activeBegin = NONE;

    private int activeEnd = NONE;
    private boolean isAsked;
    private int timer;
    private long suppressedUntilNs;

    SimulatedReceiver(int number, int windowDatagrams, RepairListener listener) {
        this.number = number;
        this.windowDatagrams = windowDatagrams;
        this.listener = listener;
    }

    int number() {
        return number;
    }

    /** Begins with everything before a datagram received. */
    void begin(int expected) {
        next = expected;
        gaps = 0;
        activeBegin = NONE;
    }

    /** Returns whether everything before that number came in. */
    boolean isWholeUpTo(int end) {
        return gaps == 0 && next >= end;
    }

    boolean hasGap() {
        return gaps > 0;
    }

    int gapBegin() {
        return begins[0];
    }

    int gapEnd() {
        return ends[0];
    }

    /** Returns the number of the first datagram that is missing or yet to come: what it has consumed ends there. */
    int position() {
        return gaps > 0 ? begins[0] : next;
    }

    /** Returns how many of the datagrams before that number are missing. */
    int missing(int end) {
        int missing = Math.max(0, end - next);
        for (int i = 0; i < gaps; i++) {
            missing += ends[i] - begins[i];
        }
        return missing;
    }

    /** Takes datagrams, those beyond the window left out; returns how many of them lay beyond it. */
    int accept(int begin, int end, long nowNs) {
        int limit = windowDatagrams == Integer.MAX_VALUE ? end : Math.min(end, position() + windowDatagrams);
        if (begin < limit) {
            if (begin < next) {
                fill(begin, Math.min(limit, next));
            } else if (begin > next) {
                append(next, begin, nowNs);
            }
            next = Math.max(next, limit);
        }
        return end - Math.max(begin, Math.min(limit, end));
    }

    /** Hears that datagrams up to that number were sent, as by a heartbeat. */
    void hear(int end, long nowNs) {
        if (end > next && (windowDatagrams == Integer.MAX_VALUE || end <= position() + windowDatagrams)) {
            append(next, end, nowNs);
            next = end;
        }
    }

    /** Returns whether some of these datagrams are missing or yet to come. */
    boolean needs(int begin, int end) {
        if (position() >= end) {
            return false;
        }
        int gap = Arrays.binarySearch(begins, 0, gaps, begin);
        int before = gap >= 0 ? gap : -gap - 2;
        return end > next || (before >= 0 && ends[before] > begin) || (before + 1 < gaps && begins[before + 1] < end);
    }

    /** Returns whether the first gap is another than the one to ask for, in part or in whole. */
    boolean isChanged() {
        return gaps > 0 ? begins[0] != activeBegin || ends[0] != activeEnd : activeBegin != NONE;
    }

    /** Takes the first gap for the one to ask for. */
    void activate() {
        activeBegin = gaps > 0 ? begins[0] : NONE;
        activeEnd = gaps > 0 ? ends[0] : NONE;
    }

    /** Returns whether a NAK was due for the active gap and has not been sent. */
    boolean isNakPending() {
        return activeBegin != NONE && !isAsked;
    }

    void asked(boolean value) {
        isAsked = value;
    }

    /** Makes the timer that runs void; returns the number of the new one. */
    int newTimer() {
        return ++timer;
    }

    int timer() {
        return timer;
    }

    void suppressUntil(long timeNs) {
        suppressedUntilNs = timeNs;
    }

    long suppressedUntilNs() {
        return suppressedUntilNs;
    }

    private void append(int begin, int end, long nowNs) {
        makeRoom();
        begins[gaps] = begin;
        ends[gaps] = end;
        sinceNs[gaps++] = nowNs;
    }

    private void fill(int begin, int end) {
        for (int i = 0; i < gaps; i++) {
            int from = Math.max(begin, begins[i]);
            int to = Math.min(end, ends[i]);
            if (from < to) {
                listener.onRepair(this, sinceNs[i], to - from);
                i += cut(i, from, to);
            }
        }
    }

    /** Takes a range out of a gap; returns by how many the gaps at and after it have become more. */
    private int cut(int gap, int from, int to) {
        if (from == begins[gap] && to == ends[gap]) {
            remove(gap);
            return -1;
        }
        if (from == begins[gap]) {
            begins[gap] = to;
        } else if (to == ends[gap]) {
            ends[gap] = from;
        } else {
            makeRoom();
            shift(gap, gap + 1);
            gaps++;
            ends[gap] = from;
            begins[gap + 1] = to;
            return 1;
        }
        return 0;
    }

    private void remove(int gap) {
        if (gap + 1 < gaps) {
            shift(gap + 1, gap);
        }
        gaps--;
    }

    private void shift(int from, int to) {
        System.arraycopy(begins, from, begins, to, gaps - from);
        System.arraycopy(ends, from, ends, to, gaps - from);
        System.arraycopy(sinceNs, from, sinceNs, to, gaps - from);
    }

    private void makeRoom() {
        if (gaps == begins.length) {
            begins = Arrays.copyOf(begins, 2 * gaps);
            ends = Arrays.copyOf(ends, 2 * gaps);
            sinceNs = Arrays.copyOf(sinceNs, 2 * gaps);
        }
    }
}
