package org.naklab.lab.terminal;

import java.io.PrintStream;
import java.util.function.Consumer;

/** Reports requests that failed: what a client can cause as often as it likes must not fill the console. Any thread. */
public final class FailedRequests implements Consumer<Throwable> {
    private static final int MAX_NOTES = 20;

    private final PrintStream out;
    private int notes;

    public FailedRequests(PrintStream out) {
        this.out = out;
    }

    @Override
    public synchronized void accept(Throwable error) {
        notes++;
        if (notes <= MAX_NOTES) {
            out.println("note: a request failed: " + error);
        }
        if (notes == MAX_NOTES) {
            out.println("note: further failed requests are not reported");
        }
    }
}
