package org.naklab.lab.containers;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.naklab.files.SparseFiles;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;

/**
 * The Docker engine, as the lab uses it: what it asks has a type, and what fails has a reason, so that nothing else reads the output of
 * {@code docker}.
 *
 * <p>Asks by the command, not by docker-java. The command honours the user's context and {@code ssh://} hosts, which docker-java does
 * not. And what changes something must be a process: the guard waits for its end when this process is killed, and undoes it by the same
 * command ({@link EngineGuard}, {@link Undo}).
 */
public final class DockerEngine {
    /** Tells why a command of the client did not do what it was asked. */
    public enum Failure {
        /** There is no program {@code docker}. */
        NO_CLIENT,
        /** The command did not end in time, and was ended. */
        TIMED_OUT,
        /** The calling thread was interrupted. */
        INTERRUPTED,
        /** The container, network, volume or image does not exist, or the container has ended or is being removed. */
        GONE,
        /** Anything else, such as an engine that does not respond. */
        REFUSED
    }

    /**
     * The words of old and new engines for what there is nothing left to do with. The client's exit code is 1 for every refusal, so that
     * only the words tell.
     */
    private static final Pattern GONE = Pattern.compile(
            "no such (container|object|volume|network|image)|network \\S+ not found|is not running|non running container"
                    + "|already in progress",
            Pattern.CASE_INSENSITIVE);

    private DockerEngine() {}

    /**
     * A container as the engine knows it.
     *
     * @param id that no later container has
     * @param name without the slash that the engine puts before it
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Container(
            @JsonProperty("Id") String id,
            @JsonProperty("Name") String name,
            @JsonProperty("State") State state,
            @JsonProperty("Config") Config config,
            @JsonProperty("HostConfig") Limits limits,
            @JsonProperty("Mounts") List<Mount> mounts) {
        public Container {
            name = name.startsWith("/") ? name.substring(1) : name;
            mounts = List.copyOf(mounts);
        }

        /** Returns the value of a label, if the container has it. */
        public Optional<String> label(String key) {
            return value(config.labels(), key);
        }
    }

    /**
     * The state of a container's first process.
     *
     * @param pid in the engine's PID namespace; 0 if it does not run
     * @param exitCode of the process that ended last
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record State(
            @JsonProperty("Running") boolean isRunning,
            @JsonProperty("Paused") boolean isPaused,
            @JsonProperty("Pid") long pid,
            @JsonProperty("ExitCode") int exitCode) {}

    /** The part of a container's configuration that the lab needs. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Config(@JsonProperty("Labels") @Nullable Map<String, String> labels) {}

    /**
     * Limits of a container.
     *
     * @param memoryBytes 0 if there is none
     * @param memoryAndSwapBytes 0 if there is none, negative if swap has none
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Limits(
            @JsonProperty("Memory") long memoryBytes,
            @JsonProperty("MemorySwap") long memoryAndSwapBytes) {}

    /**
     * A mount of a container.
     *
     * @param type {@code volume}, {@code bind} or {@code tmpfs}
     * @param name of a volume
     * @param source a path of the engine's host
     * @param destination a path in the container
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Mount(
            @JsonProperty("Type") String type,
            @JsonProperty("Name") @Nullable String name,
            @JsonProperty("Source") @Nullable String source,
            @JsonProperty("Destination") String destination) {}

    /**
     * A network or a volume.
     *
     * @param containers that are connected to the network, by id
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Resource(
            @JsonProperty("Name") String name,
            @JsonProperty("Labels") @Nullable Map<String, String> labels,
            @JsonProperty("Containers") @Nullable Map<String, Endpoint> containers) {
        /** Returns the value of a label, if the resource has it. */
        public Optional<String> label(String key) {
            return value(labels, key);
        }
    }

    /** A container's end in a network. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Endpoint(@JsonProperty("Name") String name) {}

    /** The kinds of things at the engine that have a name. */
    public enum Kind {
        CONTAINER("container"),
        VOLUME("volume"),
        NETWORK("network");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        private List<String> removal() {
            return switch (this) {
                case CONTAINER -> List.of("rm", "--force", "--volumes");
                case VOLUME -> List.of("rm", "--force");
                // The engine knows no force for networks.
                case NETWORK -> List.of("rm");
            };
        }

        @Override
        public String toString() {
            return word;
        }
    }

    /** Returns why a command failed; empty if it succeeded. */
    static Optional<Failure> failure(int exitCode, String output) {
        return switch (exitCode) {
            case 0 -> Optional.empty();
            case Docker.NO_CLIENT -> Optional.of(Failure.NO_CLIENT);
            case Docker.TIMED_OUT -> Optional.of(Failure.TIMED_OUT);
            case Docker.INTERRUPTED -> Optional.of(Failure.INTERRUPTED);
            default -> Optional.of(GONE.matcher(output).find() ? Failure.GONE : Failure.REFUSED);
        };
    }

    /** Returns a container; empty if there is none of that name or id. */
    public static Optional<Container> find(String container) {
        Docker.Result result = Docker.attempt("container", "inspect", container);
        return result.isGone()
                ? Optional.empty()
                : Optional.of(parse(result, "container " + container, Container[].class)[0]);
    }

    /**
     * Returns a container.
     *
     * @throws InputException if there is none of that name or id
     */
    public static Container inspect(String container) {
        return find(container)
                .orElseThrow(() -> new InputException(
                        "there is no container " + container + "; 'docker ps' lists those that run"));
    }

    /** Returns the containers with a label. */
    public static List<Container> containers(String label, boolean evenEnded) {
        List<String> arguments = new ArrayList<>(List.of("container", "ls", "--quiet", "--no-trunc"));
        if (evenEnded) {
            arguments.add("--all");
        }
        return list("container", arguments, label, Container[].class);
    }

    /** Returns the volumes with a label. */
    public static List<Resource> volumes(String label) {
        return list("volume", List.of("volume", "ls", "--quiet"), label, Resource[].class);
    }

    /** Returns the networks with a label. */
    public static List<Resource> networks(String label) {
        return list("network", List.of("network", "ls", "--quiet", "--no-trunc"), label, Resource[].class);
    }

    /** Returns a network; empty if there is none of that name. */
    public static Optional<Resource> network(String name) {
        Docker.Result result = Docker.attempt("network", "inspect", name);
        return result.isGone() ? Optional.empty() : Optional.of(parse(result, "network " + name, Resource[].class)[0]);
    }

    /** Returns why no engine responds; empty if one does. */
    public static Optional<String> refusal() {
        Docker.Result version = Docker.attempt("version");
        return version.succeeded() ? Optional.empty() : Optional.of(version.lastLine());
    }

    /** Returns whether the engine has an image. */
    public static boolean hasImage(String name) {
        return Docker.attempt("image", "inspect", name).succeeded();
    }

    /** Creates a network or a volume with labels such as {@code key=value}. */
    public static void create(Kind kind, String name, String... labels) {
        List<String> arguments = new ArrayList<>(List.of(kind.word, "create"));
        Arrays.stream(labels).forEach(label -> arguments.addAll(List.of("--label", label)));
        arguments.add(name);
        Docker.run(arguments.toArray(String[]::new));
    }

    /** Creates a container that is not started, with a volume mounted. */
    public static void createContainer(String name, String volume, String path, String image) {
        Docker.run("create", "--name", name, "-v", volume + ":" + path, image);
    }

    /**
     * The result of removing something.
     *
     * @param isRemoved by this call
     * @param obstacle why it is still there; empty if it is not
     */
    public record Removal(boolean isRemoved, Optional<String> obstacle) {}

    /** Removes something by force. */
    public static Removal remove(Kind kind, String name) {
        List<String> arguments = new ArrayList<>(List.of(kind.word));
        arguments.addAll(kind.removal());
        arguments.add(name);
        Docker.Result result = Docker.attempt(arguments.toArray(String[]::new));
        boolean isGone = result.succeeded() || result.isGone();
        return new Removal(result.succeeded(), isGone ? Optional.empty() : Optional.of(result.lastLine()));
    }

    /** Runs {@code docker run} with options, image and command, and waits for the end of the container. */
    public static Docker.Result attemptRun(List<String> words) {
        List<String> arguments = new ArrayList<>(List.of("run"));
        arguments.addAll(words);
        return Docker.attempt(arguments.toArray(String[]::new));
    }

    /**
     * Does the same.
     *
     * @return what the container prints
     * @throws LabException with the last line that it prints, if it fails
     */
    public static String run(List<String> words) {
        List<String> arguments = new ArrayList<>(List.of("run"));
        arguments.addAll(words);
        return Docker.run(arguments.toArray(String[]::new));
    }

    /** Executes a command in a running container. */
    public static Docker.Result execute(String container, String... command) {
        List<String> arguments = new ArrayList<>(List.of("exec", container));
        arguments.addAll(List.of(command));
        return Docker.attempt(arguments.toArray(String[]::new));
    }

    /** Executes a command in a running container with a file as its standard input. */
    public static void feed(Path input, String container, String... command) {
        List<String> arguments = new ArrayList<>(List.of("exec", "-i", container));
        arguments.addAll(List.of(command));
        Docker.feed(input, arguments.toArray(String[]::new));
    }

    /** Copies a file or directory out of a container. The engine sends an archive without holes; those of a journal are made again. */
    public static void copy(String container, String from, Path to) {
        Docker.run("cp", container + ":" + from, to.toString());
        try {
            SparseFiles.digHoles(to);
        } catch (IOException e) {
            throw new LabException("cannot read the copy of " + from + " in " + to + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted while copying " + from, e);
        }
    }

    /** Kills all processes of a container. */
    public static void kill(String container) {
        Docker.run("kill", "--signal", "KILL", container);
    }

    /** Returns the ids, in the engine's PID namespace, of a container's processes of that name. */
    public static List<Long> processes(String container, String name) {
        return Docker.run("top", container, "-eo", "pid,comm")
                .lines()
                .map(line -> line.strip().split("\\s+", 2))
                .filter(columns -> columns.length == 2 && columns[1].equals(name))
                .map(columns -> Long.valueOf(columns[0]))
                .toList();
    }

    private static <T> List<T> list(String kind, List<String> listing, String label, Class<T[]> type) {
        List<String> arguments = new ArrayList<>(listing);
        arguments.addAll(List.of("--filter", "label=" + label));
        Docker.Result listed = Docker.attempt(arguments.toArray(String[]::new));
        if (!listed.succeeded()) {
            throw new LabException("cannot list each " + kind + ": " + listed.lastLine());
        }
        // One by one: what has been removed meanwhile must not hide the others.
        List<T> found = new ArrayList<>();
        for (String id : listed.output().lines().toList()) {
            Docker.Result result = Docker.attempt(kind, "inspect", id);
            if (!result.isGone()) {
                found.add(parse(result, kind + " " + id, type)[0]);
            }
        }
        return found;
    }

    private static <T> T[] parse(Docker.Result result, String what, Class<T[]> type) {
        if (!result.succeeded()) {
            throw new LabException("cannot inspect " + what + ": " + result.lastLine());
        }
        return parse(result.output(), what, type);
    }

    /**
     * Reads what {@code docker inspect} prints.
     *
     * @throws LabException if it is no JSON array with one entry
     */
    static <T> T[] parse(String json, String what, Class<T[]> type) {
        try {
            // Warnings of the client come first.
            JsonNode tree = Json.parse(json.substring(Math.max(0, json.indexOf("[\n"))));
            if (tree.isArray() && tree.size() == 1) {
                return Json.value(tree, type);
            }
        } catch (JsonProcessingException | UncheckedIOException e) {
            throw new LabException("the engine's description of " + what + " cannot be read: " + e.getMessage(), e);
        }
        throw new LabException("the engine describes " + what + " not once");
    }

    private static Optional<String> value(@Nullable Map<String, String> labels, String key) {
        return labels == null ? Optional.empty() : Optional.ofNullable(labels.get(key));
    }
}
