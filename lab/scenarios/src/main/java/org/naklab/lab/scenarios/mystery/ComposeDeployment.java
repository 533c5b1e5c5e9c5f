package org.naklab.lab.scenarios.mystery;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.naklab.faults.binding.AuditedLaunch;
import org.naklab.faults.binding.NativeLibraries;
import org.naklab.lab.containers.ComposeEnvironment;
import org.naklab.lab.containers.ComposeProject;
import org.naklab.lab.containers.ContainerEnvironment;
import org.naklab.lab.core.PreparationListener;
import org.naklab.lab.process.ContainerSpec;
import org.naklab.lab.process.ProcessSpec;
import org.naklab.lab.replica.exchange.ExchangeConfig;
import org.naklab.lab.replica.service.MemoryConstraint;
import org.naklab.lab.replica.service.ServiceConfig;
import org.naklab.lab.replica.transport.TransportConfig;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.messaging.TopicChannels;

/** A scenario's processes executed in the services of a composition that stand by, each where its name says. */
public final class ComposeDeployment {
    private static final String MEMORY_ONLY = "/dev/shm/naklab/aeron";
    private static final Path LIBRARIES = Path.of(ContainerSpec.ROOT, "native");
    private static final String AUDIT_PAGE = "audit-page";
    /** The composition itself limits memory; a run adds nothing. */
    private static final MemoryConstraint NONE = new MemoryConstraint(0, 0, 0);

    private final RunPlan plan;
    private final ComposeProject composition;

    private ComposeDeployment(RunPlan plan, ComposeProject composition) {
        this.plan = plan;
        this.composition = composition;
    }

    /** The scenario's processes where the plan wants them. */
    public static Deployment deploy(Scenario scenario, RunPlan plan, PreparationListener listener) {
        ComposeProject composition = plan.placement().composition();
        Deployment deployment = scenario.deploy(plan, listener);
        return composition == null ? deployment : new ComposeDeployment(plan, composition).move(deployment);
    }

    /** The services that a run on this machine executes processes in. */
    public static List<String> services() {
        List<String> services = new ArrayList<>(List.of(Deployment.EXCHANGE, Deployment.SERVICE, Deployment.GATEWAY));
        if (isRoomy()) {
            services.add(Mystery.SECOND_GATEWAY);
        }
        return List.copyOf(services);
    }

    /** Returns the notes for the user of an attached run, one line each. */
    public static List<String> notes(ComposeProject composition) {
        String where = "in the composition " + composition.project() + ": " + String.join(", ", services());
        return isRoomy()
                ? List.of(where)
                : List.of(
                        where,
                        Mystery.SECOND_GATEWAY + " stays on standby: with fewer than "
                                + Mystery.CORES_FOR_SECOND_GATEWAY + " cores it would take CPU time from the others");
    }

    /** Returns why the scenario cannot be run like that in a composition, and what can; empty when it can. */
    public static Optional<String> refusal(Scenario scenario, RunPlan plan) {
        Optional<String> refusal = scenario.compositionRefusal(plan);
        if (refusal.isPresent()) {
            return refusal;
        }
        if (plan.workload().source() != null) {
            return Optional.of(
                    "--source is a file of this machine, which the composition's exchange cannot read: omit --attach");
        }
        return scenario.outsideFaults(plan).faults().isEmpty()
                ? Optional.empty()
                : Optional.of("its fault acts on processes of this machine from outside: omit --attach");
    }

    private static boolean isRoomy() {
        return Runtime.getRuntime().availableProcessors() >= Mystery.CORES_FOR_SECOND_GATEWAY;
    }

    private Deployment move(Deployment deployment) {
        Deployment all = isRoomy() ? deployment.withGateway(plan, Mystery.SECOND_GATEWAY) : deployment;
        Path page = plan.directory().resolve(AUDIT_PAGE);
        return new Deployment(
                exchange(all.exchange()),
                all.subscribers().stream().map(this::subscriber).toList(),
                new ComposeEnvironment(
                                composition,
                                all.all().stream().map(ProcessSpec::name).toList(),
                                Deployment.SERVICE,
                                plan.directory(),
                                Files.exists(page) ? List.of(page) : List.of())
                        .around(deployment.environment()));
    }

    private ProcessSpec<ExchangeConfig> exchange(ProcessSpec<ExchangeConfig> spec) {
        ExchangeConfig config = spec.config();
        return spec.inContainer(container(spec), config.withTransport(transport(config.transport())));
    }

    private ProcessSpec<ServiceConfig> subscriber(ProcessSpec<ServiceConfig> spec) {
        ServiceConfig config = spec.config();
        boolean isService = spec.name().equals(Deployment.SERVICE);
        return spec.inContainer(
                container(spec),
                config.inContainer(
                        transport(config.transport()),
                        isService ? ContainerEnvironment.JOURNAL : ComposeEnvironment.TEMPORARY,
                        NONE));
    }

    private ContainerSpec container(ProcessSpec<?> spec) {
        String run = plan.scenario() + "/" + plan.directory().getFileName();
        return ContainerSpec.standingBy(
                composition.container(spec.name()), List.of(ComposeEnvironment.REPLICA, spec.name(), run), MEMORY_ONLY);
    }

    /** Returns the channels on the interface with the service's own host name. */
    private TransportConfig transport(TransportConfig config) {
        TopicChannels channels =
                new TopicChannels(config.name(), 1, plan.channels().basePort());
        return config.inContainer(channels, MEMORY_ONLY, config.feedMtuBytes());
    }

    /** The image has the libraries; the page is brought. */
    static ProcessSpec<ServiceConfig> audited(ProcessSpec<ServiceConfig> service) {
        AuditedLaunch launch = new AuditedLaunch(
                LIBRARIES.resolve("libnaklab_audit.so"), Path.of(ComposeEnvironment.inside(Path.of(AUDIT_PAGE))));
        return MysteryFaults.with(service, launch.environment())
                .withJvmArguments("-D" + NativeLibraries.DIRECTORY_PROPERTY + "=" + LIBRARIES);
    }
}
