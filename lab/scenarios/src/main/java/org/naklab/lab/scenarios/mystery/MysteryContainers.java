package org.naklab.lab.scenarios.mystery;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.naklab.lab.containers.ContainerEnvironment;
import org.naklab.lab.containers.EngineGuard;
import org.naklab.lab.containers.Image;
import org.naklab.lab.containers.PrivateLibraries;
import org.naklab.lab.core.PreparationListener;
import org.naklab.lab.process.ContainerSpec;
import org.naklab.lab.process.ProcessSpec;
import org.naklab.lab.replica.exchange.ExchangeConfig;
import org.naklab.lab.replica.service.MemoryConstraint;
import org.naklab.lab.replica.service.ServiceConfig;
import org.naklab.lab.replica.transport.TransportConfig;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.messaging.TopicChannels;

/** The mystery's processes in containers of their own, on one bridge; the service's has little memory and slow reads. */
public final class MysteryContainers {
    private static final String MEMORY_ONLY = "/dev/shm/naklab/aeron";
    private static final String GATEWAY_MEMORY = "768m";
    private static final String SERVICE_MEMORY = "448m";

    private final ContainedStrategy fidelity;
    private final RunPlan plan;
    private final ContainerEnvironment site;

    private MysteryContainers(ContainedStrategy fidelity, RunPlan plan, ContainerEnvironment site) {
        this.fidelity = fidelity;
        this.plan = plan;
        this.site = site;
    }

    /**
     * The deployment's processes, moved into containers.
     *
     * @param fidelity decides on memory and reads of the service
     * @param device whose reads are limited for the service
     * @param listener is told how far the containers are
     */
    static Deployment move(
            Deployment deployment,
            ContainedStrategy fidelity,
            RunPlan plan,
            String device,
            long readsPerSecond,
            PreparationListener listener) {
        ContainerEnvironment site = new ContainerEnvironment(
                String.valueOf(plan.directory().getFileName()).toLowerCase(Locale.ROOT), plan.directory(), listener);
        MysteryContainers containers = new MysteryContainers(fidelity, plan, site);
        return new Deployment(
                containers.exchange(deployment.exchange()),
                deployment.subscribers().stream().map(containers::subscriber).toList(),
                fidelity.throttled(plan, site, site.containerName(Deployment.SERVICE), device, readsPerSecond));
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
                .withJvmArguments(ContainedStrategy.PRE_TOUCH);
    }

    private ProcessSpec<ServiceConfig> subscriber(ProcessSpec<ServiceConfig> spec) {
        ServiceConfig config = spec.config();
        boolean isService = spec.name().equals(Deployment.SERVICE);
        MemoryConstraint constraint = isService ? fidelity.constraint(plan) : MemoryConstraint.NONE;
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
                                constraint))
                // A heap that fits into the limit comes later than the standard one, and counts.
                .withJvmArguments(
                        "-Xms128m", "-Xmx128m", "-Xmn80m", "-XX:MaxDirectMemorySize=1g", ContainedStrategy.PRE_TOUCH);
        return isService
                ? moved.withJvmArguments(PrivateLibraries.jvmArguments().toArray(String[]::new))
                : moved;
    }

    private TransportConfig transport(TransportConfig config) {
        TopicChannels channels =
                new TopicChannels(config.name(), 1, plan.channels().basePort());
        return config.inContainer(channels, MEMORY_ONLY, fidelity.feedMtuBytes(config.feedMtuBytes()));
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
