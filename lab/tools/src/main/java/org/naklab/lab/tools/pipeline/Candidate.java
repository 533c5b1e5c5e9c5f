package org.naklab.lab.tools.pipeline;

/** A candidate of a comparison. */
interface Candidate {
    /** Runs once over the whole feed, set-up not counted, and returns messages or events a second. */
    double perSecond() throws Exception;
}
