package org.naklab.lab.process;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** A command of the lab to a child process: the first word of a line. Only {@link #FAULT} and {@link #CONNECT} have others behind it. */
public enum ControlCommand {
    /** The exchange may let the order flow begin. */
    START,
    /** The instruments look on, and traffic is about to flow. */
    SETTLE,
    /** The order flow is to end now, trailer included. */
    STOP,
    /** The process is to close in order, and to end. */
    CLOSE,
    /** A tool is to send what it was configured to send. */
    SEND,
    /** A tool is to report its figures. */
    REPORT,
    /** A tool is to bind its symbol now. */
    BIND,
    /** The faults of the process are to obey the rest of the line: a number for the answer, and a command of theirs. */
    FAULT,
    /** The customers are to connect to the servers in the rest of the line. */
    CONNECT,
    /** Standard input has ended: the lab is done with this process, or is no more. */
    END;

    /** Returns the command as it stands on a line. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<ControlCommand> of(String word) {
        return Stream.of(values())
                .filter(command -> command.word().equals(word))
                .findFirst();
    }
}
