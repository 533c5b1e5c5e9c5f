package org.naklab.lab.instruments.trace;

import java.util.List;

/** Promises to undo a change of the machine if this process is killed before it does so itself. */
@FunctionalInterface
public interface TraceUndo {
    /**
     * Promises to have a command run, which must succeed when there is nothing to undo.
     *
     * @param what is undone, for messages
     * @return called when it has been undone and need not be
     */
    Runnable promise(String what, List<String> command);
}
