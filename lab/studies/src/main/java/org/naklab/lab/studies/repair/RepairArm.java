package org.naklab.lab.studies.repair;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.studies.simulation.NakBackOff;
import org.naklab.lab.studies.simulation.RepairSettings;
import org.naklab.messaging.TransportProfile;

/** The settings that are compared. */
public enum RepairArm {
    /** Aeron's defaults. */
    AERON("aeron", TransportProfile.AERON),
    /** The settings for which aeron-tuning.com publishes the gain, see its page on NAK timers. */
    AERON_TUNED("aeron-tuned", TransportProfile.AERON),
    /** The lab's LBT-RM. */
    LBTRM("lbtrm", TransportProfile.LBTRM);

    private static final Map<String, String> TUNED = Map.of(
            "aeron.nak.multicast.max.backoff", "500us",
            "aeron.nak.multicast.group.size", "3",
            "aeron.retransmit.unicast.linger", "2ms");

    private final String label;
    private final TransportProfile profile;

    RepairArm(String label, TransportProfile profile) {
        this.label = label;
        this.profile = profile;
    }

    /** Returns the name in documents. */
    @JsonValue
    public String label() {
        return label;
    }

    TransportProfile profile() {
        return profile;
    }

    /** Returns the same settings for the simulation. */
    RepairSettings simulated() {
        RepairSettings settings = RepairSettings.of(profile);
        return this == AERON_TUNED
                ? settings.withBackOff(new NakBackOff.Optimal(TimeUnit.MICROSECONDS.toNanos(500), 3))
                        .withIgnoring(TimeUnit.MILLISECONDS.toNanos(2), 0)
                : settings;
    }

    /** Sets Aeron's own properties, which its contexts read when they are created; the profile leaves these to Aeron. */
    void apply() {
        properties().forEach(System::setProperty);
    }

    /** Takes the properties back. */
    void withdraw() {
        properties().keySet().forEach(System::clearProperty);
    }

    private Map<String, String> properties() {
        return this == AERON_TUNED ? TUNED : Map.of();
    }
}
