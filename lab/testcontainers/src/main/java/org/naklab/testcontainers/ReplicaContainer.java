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
import org.naklab.lab.process.ChildCommand;
import org.naklab.lab.process.ControlCommand;
import org.naklab.lab.process.ProcessEvent;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * A container of NAK Lab's image with one process of the replica. It is ready when the process has reported that; a longer start is allowed
 * by {@link #withStartupTimeout}. The image is not pulled.
 *
 * @param <S> itself
 */
public abstract class ReplicaContainer<S extends ReplicaContainer<S>> extends GenericContainer<S> {
    /** The name of NAK Lab's image. */
    public static final DockerImageName DEFAULT_IMAGE_NAME = DockerImageName.parse("naklab");

    private static final long DEFAULT_SEED = 42;
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);
    private static final long SHARED_MEMORY_BYTES = 512L << 20;
    private static final List<String> HEAP =
            List.of("-Xms256m", "-Xmx256m", "-Xmn160m", "-XX:+AlwaysPreTouch", "-XX:TieredStopAtLevel=1");

    private String process;
    private long seed = DEFAULT_SEED;
    private @Nullable ContainerChannel link;
    private int countedFrom;

    /**
     * Creates a container that is not started.
     *
     * @param mainClass the name of a class in the image
     */
    ReplicaContainer(DockerImageName image, String process, String mainClass) {
        super(image);
        image.assertCompatibleWith(DEFAULT_IMAGE_NAME);
        this.process = process;
        List<String> command =
                new ArrayList<>(ChildCommand.inImage(HEAP, mainClass, List.of(ChildCommand.STANDARD_INPUT)));
        withCommand(command.toArray(String[]::new));
        withImagePullPolicy(name -> false);
        withSharedMemorySize(SHARED_MEMORY_BYTES);
        withCreateContainerCmdModifier(this::prepare);
        waitingFor(new ReadyReport(this));
    }

    /** Returns the image that {@code NAKLAB_IMAGE} names, or {@link #DEFAULT_IMAGE_NAME}. */
    static DockerImageName usualImage() {
        return DockerImageName.parse(Image.name()).asCompatibleSubstituteFor(DEFAULT_IMAGE_NAME);
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

    /** Sets the name of the process, which is its host name and stands in events and reports; each in a network has another. */
    public S withProcessName(String name) {
        process = name;
        return self();
    }

    /** Sets the seed of the flow and of the random choices of the transport; 42 if it is not set. */
    public S withSeed(long newSeed) {
        seed = newSeed;
        return self();
    }

    long seed() {
        return seed;
    }

    /** Returns the configuration, which is sent to the process first. */
    abstract Object config();

    /**
     * Starts the container, and waits until its process is ready.
     *
     * @throws IllegalStateException if no engine responds, the image is missing, or Testcontainers cannot use the engine; the message is one line
     *     with what to do
     */
    @Override
    public void start() {
        TestcontainersPreflight.check(getDockerImageName());
        super.start();
    }

    @Override
    protected void containerIsCreated(String containerId) {
        link = ContainerChannel.attach(getDockerClient(), containerId, process);
    }

    @Override
    protected void containerIsStarting(InspectContainerResponse info) {
        link().firstLine(Json.line(config()));
    }

    /** Waits for the report that the process is ready, and returns whether it came. */
    boolean awaitReady(Duration timeout) {
        return await(ProcessEvent.Ready.class, timeout).isPresent();
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

    /** Returns the events of one kind since the traffic began, in order. */
    <E extends ProcessEvent> List<E> events(Class<E> kind) {
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
            throw new IllegalStateException(process + " did not answer " + command.word() + ": " + getLogs());
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

    /** Returns the newest figures of the process. */
    <T> T figures(Class<T> type) {
        ProcessEvent.Progress progress = link().events().latest(ProcessEvent.Progress.class);
        if (progress == null) {
            throw new IllegalStateException(process + " has reported nothing: has the lab been run?");
        }
        return progress.as(type);
    }

    private ContainerChannel link() {
        if (link == null) {
            throw new IllegalStateException("the container of " + process + " has not been started");
        }
        return link;
    }
}
