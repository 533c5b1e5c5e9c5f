package org.naklab.lab.workshop;

import org.naklab.lab.core.Units;

/**
 * Tells what of a view is to be shown.
 *
 * @param from seconds since the begin of the case
 * @param to seconds since the begin of the case
 * @param process name; empty: all
 * @param rows at most so many events
 */
public record EvidenceFilter(double from, double to, String process, int rows) {
    /** The whole observed time. */
    public static final EvidenceFilter ALL = new EvidenceFilter(-1, Double.MAX_VALUE, "", 40);

    boolean shows(CaseEvent event) {
        double begin = event.span().beginNs() / Units.NS_PER_S;
        double end = event.span().endNs() / Units.NS_PER_S;
        return end >= from
                && begin <= to
                && (process.isEmpty() || event.process().equals(process));
    }
}
