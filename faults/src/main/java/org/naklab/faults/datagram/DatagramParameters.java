package org.naklab.faults.datagram;

import org.naklab.faults.description.FaultParameter;
import org.naklab.faults.description.ParameterType;

/** The parameters that all faults of datagrams share. */
final class DatagramParameters {
    private DatagramParameters() {}

    static FaultParameter[] all() {
        return new FaultParameter[] {
            FaultParameter.text("endpoints", "the endpoints of the process").orElse(DatagramSeam.NAME),
            FaultParameter.of("select.direction", ParameterType.TEXT, "inbound or outbound, as the process sees it")
                    .orElse("inbound"),
            FaultParameter.of("select.traffic", ParameterType.WORDS, "data, heartbeat, setup, nak, status, other")
                    .orElse("data"),
            FaultParameter.of("select.streamId", ParameterType.COUNT, "one stream only")
                    .optional(),
            FaultParameter.of(
                            "select.probability",
                            ParameterType.PROBABILITY,
                            "of each datagram; this or gaps must be given")
                    .optional(),
            FaultParameter.of("select.gaps", ParameterType.GAPS, "exactly these new data datagrams, as FIRST+COUNT")
                    .optional(),
            FaultParameter.count("select.max", 1, Selection.MAX_STRUCK, "datagrams at most")
                    .orElse(String.valueOf(Selection.MAX_STRUCK)),
            FaultParameter.count(
                            "select.times",
                            1,
                            Selection.MAX_TIMES,
                            "strikes at data of gaps: 2 takes what is sent again")
                    .orElse("1"),
        };
    }
}
