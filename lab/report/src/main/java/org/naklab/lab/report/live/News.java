package org.naklab.lab.report.live;

/** Tells what viewers are told beside what is shown. Any thread. */
public interface News {
    /** Tells nothing. */
    News NONE = new News() {
        @Override
        public long changes() {
            return -1;
        }

        @Override
        public Object now() {
            return "";
        }
    };

    /** Returns how often it has changed; -1: there is nothing to tell. */
    long changes();

    /** Returns what holds now, as it is written in JSON. */
    Object now();
}
