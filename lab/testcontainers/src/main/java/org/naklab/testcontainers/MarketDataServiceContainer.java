package org.naklab.testcontainers;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Mount;
import com.github.dockerjava.api.model.MountType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.naklab.journaler.Verification;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.naklab.lab.replica.process.ProcessEvent;
import org.naklab.lab.replica.process.Role;
import org.naklab.lab.replica.service.ServiceConfig;
import org.naklab.lab.replica.service.ServiceProcess;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.messaging.publication.RateLimit;
import org.naklab.messaging.publication.RateLimitMode;

/** A receiver of the feed: the market data service with its journal, or a gateway, which is the same without. */
public final class MarketDataServiceContainer extends ReplicaContainer<MarketDataServiceContainer> {
    /** Mount point of the journal's volume in a service. */
    public static final String JOURNAL = "/journal";

    private static final int RING_SLOTS = 1 << 16;
    private static final long SNAPSHOT_BITS_PER_SECOND = 10_000_000;

    private final Role role;

    private MarketDataServiceContainer(String name, Role role, long seed) {
        super(name, ServiceProcess.class, seed);
        this.role = role;
        if (role == Role.SERVICE) {
            withCreateContainerCmdModifier(MarketDataServiceContainer::mountJournal);
        }
    }

    /** Creates a market data service that is not started. */
    public static MarketDataServiceContainer service(String name, long seed) {
        return new MarketDataServiceContainer(name, Role.SERVICE, seed);
    }

    /** Creates a gateway that is not started. */
    public static MarketDataServiceContainer gateway(String name, long seed) {
        return new MarketDataServiceContainer(name, Role.GATEWAY, seed);
    }

    /** A volume without a name is removed with its container. */
    private static void mountJournal(CreateContainerCmd create) {
        HostConfig host = create.getHostConfig() == null ? new HostConfig() : create.getHostConfig();
        List<Mount> mounts = new ArrayList<>(host.getMounts() == null ? List.of() : host.getMounts());
        if (mounts.stream().noneMatch(mount -> JOURNAL.equals(mount.getTarget()))) {
            mounts.add(new Mount().withType(MountType.VOLUME).withTarget(JOURNAL));
        }
        create.withHostConfig(host.withMounts(mounts));
    }

    @Override
    Object config() {
        boolean isService = role == Role.SERVICE;
        return new ServiceConfig(
                transport(),
                role,
                isService ? JOURNAL + "/journal" : null,
                (isService ? JOURNAL : "/tmp") + "/loss-report.dat",
                RING_SLOTS,
                RateLimitMode.TRANSPORT,
                SNAPSHOT_BITS_PER_SECOND,
                RateLimit.INCIDENT_INTERVAL_NS,
                null,
                false,
                null);
    }

    /**
     * Reads the journal as it lies on the volume, by a process of its own in the container.
     *
     * @throws LabException when there is none that can be read
     */
    public Verification verifyJournal() {
        try {
            ExecResult verified = execInContainer("naklab", "journal", "verify", "--json", JOURNAL + "/journal");
            return Json.value(Json.parse(verified.getStdout()), Verification.class);
        } catch (IOException e) {
            throw new LabException("the journal of " + processName() + " cannot be verified: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted while verifying the journal of " + processName(), e);
        }
    }

    /** Returns the newest report of the receiver. */
    public ServiceReport report() {
        return report(ServiceReport.class);
    }

    /** Returns the stalls of 20 ms or more since the traffic began, ms. */
    public List<Double> stallsMs() {
        return events(ProcessEvent.Stalled.class).stream()
                .map(stall -> stall.interruption().durationMs())
                .toList();
    }
}
