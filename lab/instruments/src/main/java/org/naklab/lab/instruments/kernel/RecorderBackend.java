package org.naklab.lab.instruments.kernel;

/** Produces records of the processes that it is told. */
interface RecorderBackend extends AutoCloseable {
    /** Returns when the process is followed, with its threads of now and those to come; false when there is none. */
    boolean add(long pid);

    void remove(long pid);

    /** Delivers what is complete, then the {@link RecorderEnd}, and ends. */
    @Override
    void close();
}
