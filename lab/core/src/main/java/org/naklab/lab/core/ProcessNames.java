package org.naklab.lab.core;

/** The names of the processes of a standard run, as run directories, timelines and Compose services have them. */
public final class ProcessNames {
    public static final String EXCHANGE = "exchange";
    /** The market data service, which a run is about; the others are its source and its control group. */
    public static final String SERVICE = "mds";

    /** The thread on which the service receives; its context gives it the ending. */
    public static final String SERVICE_THREAD = SERVICE + "-context";

    public static final String GATEWAY = "gateway-1";

    private ProcessNames() {}
}
