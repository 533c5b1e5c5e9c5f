package org.naklab.testcontainers;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.model.HealthCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.containers.Image;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.naklab.lab.instruments.threads.DutyCycleInstrument;
import org.naklab.lab.replica.process.ChildCommand;
import org.naklab.lab.replica.process.ControlCommand;
import org.naklab.lab.replica.process.ProcessEvent;
import org.naklab.lab.replica.transport.IdleMode;
import org.naklab.lab.replica.transport.TransportConfig;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;
import org.naklab.messaging.feed.FeedId;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;
import org.testcontainers.utility.DockerImageName;

/**
 * A container with one process of the replica.
 *
 * @param <S> itself
 */
public abstract class ReplicaContainer<S extends ReplicaContainer<S>> extends GenericContainer<S> {
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);
    private static final long SHARED_MEMORY_BYTES = 512L << 20;
    private static final int BASE_PORT = 20_200;
    private static final List<String> HEAP =
            List.of("-Xms256m", "-Xmx256m", "-Xmn160m", "-XX:+AlwaysPreTouch", "-XX:TieredStopAtLevel=1");

    private final String process;
    private final long seed;
    private @Nullable ContainerChannel link;
    private int countedFrom;

    ReplicaContainer(String process, Class<?> mainClass, long seed) {
        super(DockerImageName.parse(Image.name()));
        this.process = process;
        this.seed = seed;
        List<String> command = new ArrayList<>(ChildCommand.inImage(HEAP, mainClass.getName(), List.of(ChildCommand.STANDARD_INPUT)));
        withCommand(command.toArray(String[]::new));
        withImagePullPolicy(image -> false);
        withSharedMemorySize(SHARED_MEMORY_BYTES);
        withCreateContainerCmdModifier(this::prepare);
        setWaitStrategy(new AbstractWaitStrategy() {
            @Override
            protected void waitUntilReady() {
                awaitReady();
            }
        });
    }

    private void prepare(CreateContainerCmd create) {
        create.withHostName(process)
                .withStdinOpen(true)
                .withStdInOnce(true)
                .withAttachStdin(true)
                .withAttachStdout(true)
                // The test itself looks on.
                .withHealthcheck(new HealthCheck().withTest(List.of("NONE")));
    }

    /** Returns the configuration, which is sent to the process first. */
    abstract Object config();

    TransportConfig transport() {
        return new TransportConfig(
                process,
                new TopicChannels(process, 1, BASE_PORT),
                TransportProfile.LBTRM,
                "/dev/shm/naklab/aeron",
                0,
                0,
                seed,
                FeedId.UNKNOWN,
                DutyCycleInstrument.DEFAULT_STALL_THRESHOLD_NS,
                IdleMode.BACKOFF);
    }

    @Override
    protected void containerIsCreated(String containerId) {
        link = ContainerChannel.attach(getDockerClient(), containerId, process);
    }

    @Override
    protected void containerIsStarting(InspectContainerResponse info) {
        link().firstLine(Json.line(config()));
    }

    private void awaitReady() {
        if (await(ProcessEvent.Ready.class, START_TIMEOUT).isEmpty()) {
            throw new LabException(process + " did not become ready: " + getLogs());
        }
    }

    @Override
    protected void containerIsStopping(InspectContainerResponse info) {
        link().close();
    }

    /** Returns the name of its process in events and reports. */
    public String processName() {
        return process;
    }

    /** Returns the faults of this container alone. */
    public ContainerFaults faults() {
        return ContainerFaults.of(this);
    }

    /** Returns the faults of this container's network alone. */
    public NetworkFaults network() {
        return faults().network();
    }

    /** Returns the events of one kind since the traffic began, such as {@link ProcessEvent.Stalled}, in order. */
    public <E extends ProcessEvent> List<E> events(Class<E> kind) {
        return link().events().since(countedFrom, kind);
    }

    /** Puts what the start left behind, and counts from now on. */
    void settle() {
        ask(ControlCommand.SETTLE, ProcessEvent.Settled.class);
        countedFrom = link().events().count();
    }

    void send(ControlCommand command) {
        link().command(command);
    }

    private void ask(ControlCommand command, Class<? extends ProcessEvent> answer) {
        int first = link().events().count();
        link().command(command);
        if (await(first, answer, ANSWER_TIMEOUT).isEmpty()) {
            throw new LabException(process + " did not answer " + command.word() + ": " + getLogs());
        }
    }

    <E extends ProcessEvent> Optional<E> await(Class<E> kind, Duration timeout) {
        return await(0, kind, timeout);
    }

    private <E extends ProcessEvent> Optional<E> await(int first, Class<E> kind, Duration timeout) {
        try {
            return Optional.ofNullable(link().events().await(first, kind, timeout.toNanos()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** Returns the newest report of the process. */
    <T> T report(Class<T> type) {
        ProcessEvent.Progress progress = link().events().latest(ProcessEvent.Progress.class);
        if (progress == null) {
            throw new LabException(process + " has reported nothing: has the lab been run?");
        }
        return progress.as(type);
    }

    private ContainerChannel link() {
        if (link == null) {
            throw new LabException("the container of " + process + " has not been started");
        }
        return link;
    }
}
