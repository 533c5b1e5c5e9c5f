package org.naklab.faults.description;

/** A kind of fault that {@code naklab faults} lists, on a process or on a container. */
public interface DescribedKind {
    /** Returns the name in plans and on the command line, for instance {@code datagram-loss}. */
    String name();

    /** Returns the record that Jackson reads the plan's parameters into; its constructor checks them. */
    Class<? extends Record> parameterType();

    /** Returns what the fault needs beyond the privileges of an ordinary user, in one line, or {@code none}. */
    String privileges();

    /** Returns the description for users. */
    FaultDescription description();
}
