package org.naklab.testcontainers;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Mount;
import com.github.dockerjava.api.model.MountType;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.ProcessNames;
import org.naklab.lab.process.ProcessEvent;
import org.testcontainers.utility.DockerImageName;

/** A receiver of the feed: the market data service with its journal, or a gateway, which is the same without. */
public final class MarketDataServiceContainer extends ReplicaContainer<MarketDataServiceContainer> {
    /** Mount point of the journal's volume in a service. */
    public static final String JOURNAL = "/journal";

    static final String MAIN_CLASS = "org.naklab.lab.replica.service.ServiceProcess";

    private boolean hasJournal = true;

    /** Creates a market data service that is not started. */
    public MarketDataServiceContainer(String image) {
        this(DockerImageName.parse(image));
    }

    /**
     * Creates a market data service that is not started.
     *
     * @param image NAK Lab's image, or {@link DockerImageName#asCompatibleSubstituteFor a substitute} for it
     */
    public MarketDataServiceContainer(DockerImageName image) {
        super(image, ProcessNames.SERVICE, MAIN_CLASS);
        withCreateContainerCmdModifier(this::mountJournal);
    }

    /** Makes it a gateway: it receives the same feed, and has no journal and no snapshots of its own. */
    public MarketDataServiceContainer withoutJournal() {
        hasJournal = false;
        return this;
    }

    /** A volume without a name is removed with its container. */
    private void mountJournal(CreateContainerCmd create) {
        HostConfig host = create.getHostConfig() == null ? new HostConfig() : create.getHostConfig();
        List<Mount> mounts = new ArrayList<>(host.getMounts() == null ? List.of() : host.getMounts());
        if (hasJournal && mounts.stream().noneMatch(mount -> JOURNAL.equals(mount.getTarget()))) {
            mounts.add(new Mount().withType(MountType.VOLUME).withTarget(JOURNAL));
        }
        create.withHostConfig(host.withMounts(mounts));
    }

    @Override
    Object config() {
        return ReplicaDocuments.Subscriber.of(processName(), seed(), hasJournal ? JOURNAL : null);
    }

    /**
     * Reads the journal as it lies on the volume, by a process of its own in the container.
     *
     * @throws IllegalStateException if there is none that can be read
     */
    public JournalVerification verifyJournal() {
        try {
            ExecResult verified = execInContainer("naklab", "journal", "verify", "--json", JOURNAL + "/journal");
            return Json.value(Json.parse(verified.getStdout()), JournalVerification.Written.class)
                    .verification(verified.getExitCode() == 0);
        } catch (IOException e) {
            throw new IllegalStateException(
                    "the journal of " + processName() + " cannot be verified: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while verifying the journal of " + processName(), e);
        }
    }

    /** Returns the newest report of the receiver. */
    public ReceiverReport report() {
        return figures(ReceiverReport.Written.class).report();
    }

    /** Returns the stalls of 20 ms or more since the traffic began, in order. */
    public List<Duration> stalls() {
        return events(ProcessEvent.Stalled.class).stream()
                .map(stall -> Duration.ofNanos(stall.interruption().lengthNs()))
                .toList();
    }
}
