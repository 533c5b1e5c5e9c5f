package org.naklab.lab.scenarios.mystery;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.containers.ContainerEnvironment;
import org.naklab.lab.containers.EngineGuard;
import org.naklab.lab.containers.Image;
import org.naklab.lab.containers.PrivateLibraries;
import org.naklab.lab.containers.faults.DiskLimit;
import org.naklab.lab.containers.pace.ReadThrottle;
import org.naklab.lab.containers.pace.SlowReadsEnvironment;
import org.naklab.lab.core.PreparationListener;
import org.naklab.lab.replica.exchange.ExchangeConfig;
import org.naklab.lab.replica.exchange.Preload;
import org.naklab.lab.replica.process.ContainerSpec;
import org.naklab.lab.replica.process.DeploymentEnvironment;
import org.naklab.lab.replica.process.ProcessSpec;
import org.naklab.lab.replica.process.TransportConfig;
import org.naklab.lab.replica.service.MemoryConstraint;
import org.naklab.lab.replica.service.ServiceConfig;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.messaging.TopicChannels;

/** The mystery's processes in containers of their own, on one bridge; the service's has little memory and slow reads. */
public final class MysteryContainers {
    /** Fills a journal of several times the room that is left for the page cache. */
    public static final Preload MORNING = new Preload(8_000, TimeUnit.SECONDS.toNanos(3), TimeUnit.SECONDS.toNanos(30));
    /** Time after the morning in which its losses are repaired; reads are throttled afterwards. */
    public static final long SETTLING_NS = TimeUnit.SECONDS.toNanos(5);
    /** A bind that waits for one page takes some 200 ms then. */
    static final ReadThrottle NATURAL_READS = new ReadThrottle(10, 50);

    /** Time after the morning until reads are throttled; with the engine's delay, still before the measurement starts. */
    private static final long READS_SLOW_AFTER_NS = TimeUnit.SECONDS.toNanos(3);

    private static final String MEMORY_ONLY = "/dev/shm/naklab/aeron";
    private static final String GATEWAY_MEMORY = "768m";
    private static final String SERVICE_MEMORY = "448m";
    /** Minimum memory; with less, the container waits for pages in constant use, or is killed. */
    private static final long LEAST_ROOM_BYTES = 3L << 20;

    private static final long JOURNAL_SYNC_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final RunPlan plan;
    private final ContainerEnvironment site;
    private final String device;
    private final long readsPerSecond;

    private MysteryContainers(RunPlan plan, ContainerEnvironment site, String device, long readsPerSecond) {
        this.plan = plan;
        this.site = site;
        this.device = device;
        this.readsPerSecond = readsPerSecond;
    }

    /**
     * The deployment's processes, moved into containers.
     *
     * @param device whose reads are limited for the service
     * @param listener is told how far the containers are
     */
    static Deployment move(
            Deployment deployment, RunPlan plan, String device, long readsPerSecond, PreparationListener listener) {
        ContainerEnvironment site = new ContainerEnvironment(
                String.valueOf(plan.directory().getFileName()).toLowerCase(Locale.ROOT), plan.directory(), listener);
        MysteryContainers containers = new MysteryContainers(plan, site, device, readsPerSecond);
        return new Deployment(
                containers.exchange(deployment.exchange()),
                deployment.subscribers().stream().map(containers::subscriber).toList(),
                containers.surroundings());
    }

    private DeploymentEnvironment surroundings() {
        String container = site.containerName(Deployment.SERVICE);
        return isNatural()
                ? new ThrottledContainerEnvironment(
                        site,
                        container,
                        device,
                        DiskLimit.readsPerSecond(readsPerSecond),
                        MORNING.durationNs() + READS_SLOW_AFTER_NS)
                : new SlowReadsEnvironment(site, container, device, readsPerSecond);
    }

    private boolean isNatural() {
        return plan.fidelity() == Fidelity.NATURAL;
    }

    private ProcessSpec<ExchangeConfig> exchange(ProcessSpec<ExchangeConfig> spec) {
        ExchangeConfig config = spec.config();
        return spec.inContainer(
                        new ContainerSpec(
                                site.containerName(spec.name()),
                                Image.name(),
                                options(spec.name(), GATEWAY_MEMORY),
                                List.of(),
                                MEMORY_ONLY),
                        config.withTransport(transport(config.transport())))
                .withJvmArguments("-Daeron.pre.touch.mapped.memory=true");
    }

    private ProcessSpec<ServiceConfig> subscriber(ProcessSpec<ServiceConfig> spec) {
        ServiceConfig config = spec.config();
        boolean isService = spec.name().equals(Deployment.SERVICE);
        boolean isPressed = isService && isNatural();
        MemoryConstraint confinement = new MemoryConstraint(
                isPressed ? LEAST_ROOM_BYTES : 0, MORNING.durationNs(), isService ? JOURNAL_SYNC_NS : 0);
        ProcessSpec<ServiceConfig> moved = spec.inContainer(
                        new ContainerSpec(
                                site.containerName(spec.name()),
                                Image.name(),
                                isService ? serviceOptions() : options(spec.name(), GATEWAY_MEMORY),
                                isService ? PrivateLibraries.ENTRY : List.of(),
                                MEMORY_ONLY),
                        config.inContainer(
                                transport(config.transport()),
                                isService ? ContainerEnvironment.JOURNAL : "/tmp",
                                confinement))
                // A heap that fits into the limit comes later than the standard one, and counts.
                .withJvmArguments(
                        "-Xms128m",
                        "-Xmx128m",
                        "-Xmn80m",
                        "-XX:MaxDirectMemorySize=1g",
                        "-Daeron.pre.touch.mapped.memory=true");
        return isService
                ? moved.withJvmArguments(PrivateLibraries.jvmArguments().toArray(String[]::new))
                : moved;
    }

    private TransportConfig transport(TransportConfig config) {
        TopicChannels channels =
                new TopicChannels(config.name(), 1, plan.channels().basePort());
        // A busy morning's events share datagrams, as they do at an exchange; two cores are spared.
        int mtuBytes = isNatural() ? 0 : config.feedMtuBytes();
        return config.inContainer(channels, MEMORY_ONLY, mtuBytes);
    }

    private List<String> serviceOptions() {
        List<String> options = new ArrayList<>(options(Deployment.SERVICE, SERVICE_MEMORY));
        // As much with swap as without: no swap.
        options.addAll(List.of("--memory-swap", SERVICE_MEMORY));
        options.addAll(List.of("--volume", site.volume() + ":" + ContainerEnvironment.JOURNAL));
        return options;
    }

    private List<String> options(String name, String memory) {
        return List.of(
                "--hostname",
                name,
                "--network",
                site.network(),
                "--label",
                ContainerEnvironment.LABEL,
                "--label",
                EngineGuard.label(),
                "--memory",
                memory,
                "--shm-size",
                "512m",
                "--read-only",
                "--tmpfs",
                "/tmp:exec,size=64m,mode=1777",
                "--cap-drop",
                "ALL",
                "--security-opt",
                "no-new-privileges",
                "--pids-limit",
                "256",
                "--no-healthcheck");
    }
}
