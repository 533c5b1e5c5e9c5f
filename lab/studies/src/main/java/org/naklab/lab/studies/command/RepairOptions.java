package org.naklab.lab.studies.command;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.studies.simulation.NakBackOff;
import org.naklab.lab.studies.simulation.RepairSettings;
import org.naklab.lab.terminal.Converters;
import org.naklab.messaging.TransportProfile;
import picocli.CommandLine.Option;

/** The settings of the simulated transport: those of a profile, except what is given. */
final class RepairOptions {
    @Option(
            names = "--profile",
            paramLabel = "PROFILE",
            defaultValue = "LBTRM",
            description = "Settings of the transport: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    TransportProfile profile = TransportProfile.LBTRM;

    @Option(
            names = "--group-size",
            paramLabel = "N",
            converter = Converters.Count.class,
            description = "Aeron: the group size that receivers expect (10).")
    private @Nullable Integer groupSize;

    @Option(
            names = "--nak-backoff",
            paramLabel = "TIME",
            converter = Converters.Duration.class,
            description = "Aeron: the longest back-off (10ms). LBT-RM: the mean of the first, a quarter of the mean of "
                    + "its repetitions (50ms).")
    private @Nullable Long backOffNs;

    @Option(
            names = "--ignore",
            paramLabel = "TIME",
            converter = Converters.Duration.class,
            description = "NAKs for what was sent again this short ago are ignored (10ms).")
    private @Nullable Long ignoreNs;

    @Option(
            names = "--suppress",
            paramLabel = "TIME",
            converter = Converters.Duration.class,
            description = "A receiver whose NAK was ignored is told so, and waits this long, as with LBT-RM's NCF "
                    + "(default: it is not told).")
    private @Nullable Long suppressNs;

    @Option(
            names = "--retransmit-limit",
            paramLabel = "BIT/S",
            converter = Converters.Positive.class,
            description = "Limit of the retransmission (LBT-RM: 5000000; Aeron: none).")
    private @Nullable Long retransmitBitsPerSecond;

    @Option(
            names = "--receive-buffer",
            paramLabel = "BYTES",
            converter = Converters.Bytes.class,
            description = "SO_RCVBUF of all sockets (LBT-RM: 8388608; Aeron: 131072, which is also its window).")
    private @Nullable Integer receiveBufferBytes;

    RepairSettings settings() {
        RepairSettings settings = RepairSettings.of(profile);
        if (groupSize != null || backOffNs != null) {
            settings = settings.withBackOff(backOff(settings.asking().backOff()));
        }
        if (ignoreNs != null || suppressNs != null) {
            settings = settings.withIgnoring(
                    ignoreNs == null ? settings.asking().ignoreNs() : ignoreNs,
                    suppressNs == null ? settings.asking().suppressNs() : suppressNs);
        }
        if (retransmitBitsPerSecond != null) {
            settings = settings.withRetransmitLimit(retransmitBitsPerSecond);
        }
        return receiveBufferBytes == null ? settings : settings.withReceiveBuffer(receiveBufferBytes);
    }

    private NakBackOff backOff(NakBackOff standard) {
        if (standard instanceof NakBackOff.Optimal optimal) {
            return new NakBackOff.Optimal(
                    backOffNs == null ? optimal.maxNs() : backOffNs,
                    groupSize == null ? optimal.groupSize() : groupSize);
        }
        long initialNs = backOffNs == null ? TimeUnit.MILLISECONDS.toNanos(50) : backOffNs;
        return new NakBackOff.Uniform(initialNs, 4 * initialNs);
    }
}
