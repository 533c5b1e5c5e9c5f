package org.naklab.lab.containers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.LabException;

/**
 * Services of the project's {@code compose.yaml} that stand by for a run, found by the labels that compose puts on containers.
 *
 * @param project what compose calls the composition
 * @param containers the running containers' ids, by service
 */
public record ComposeProject(String project, Map<String, String> containers) {
    /** Names another project than that of the directory; compose's own variable. */
    private static final String PROJECT_VARIABLE = "COMPOSE_PROJECT_NAME";

    private static final String PROJECT_LABEL = "com.docker.compose.project";
    private static final String SERVICE_LABEL = "com.docker.compose.service";
    private static final String DIRECTORY_LABEL = "com.docker.compose.project.working_dir";

    public ComposeProject {
        containers = Map.copyOf(containers);
    }

    /**
     * Returns the project name that Compose uses by default: the directory's name, reduced to the characters that Compose
     * permits.
     */
    public static String usualProject(Path directory) {
        return isNamed()
                ? System.getenv(PROJECT_VARIABLE)
                : String.valueOf(directory.getFileName())
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^-_a-z0-9]", "")
                        .replaceAll("^[-_]+", "");
    }

    private static boolean isNamed() {
        @Nullable String named = System.getenv(PROJECT_VARIABLE);
        return named != null && !named.isEmpty();
    }

    /**
     * Looks for the composition of a directory, by the name that Compose gives it. Another directory of the same name has the same: its composition
     * is left alone.
     *
     * @param services that must be running
     * @throws LabException when one is not, or it is another directory's, or there is no engine, with what to do
     */
    public static ComposeProject ofDirectory(Path directory, List<String> services) {
        ComposeProject found = find(usualProject(directory), services);
        if (!isNamed()) {
            DockerEngine.inspect(found.container(services.get(0)))
                    .label(DIRECTORY_LABEL)
                    .ifPresent(itsDirectory -> found.require(directory, Path.of(itsDirectory)));
        }
        return found;
    }

    /** Requires that the composition was started in the directory. */
    void require(Path directory, Path itsDirectory) {
        if (!isSame(directory, itsDirectory)) {
            throw new LabException("the composition " + project + " was started in " + itsDirectory + ", not in "
                    + directory + ", whose name gives the same project: start this directory's with 'docker compose"
                    + " --project-name NAME up -d' and use --project NAME; --project " + project
                    + " uses the other one");
        }
    }

    private static boolean isSame(Path one, Path other) {
        try {
            return Files.exists(other)
                    ? Files.isSameFile(one, other)
                    : one.toAbsolutePath().normalize().equals(other.normalize());
        } catch (IOException e) {
            throw new LabException("cannot compare " + one + " with " + other, e);
        }
    }

    /**
     * Looks for a composition that is up.
     *
     * @param services that must be running
     * @throws LabException when one is not, or there is no engine, with what to do
     */
    public static ComposeProject find(String project, List<String> services) {
        Map<String, String> containers = new TreeMap<>();
        try {
            for (DockerEngine.Container container : DockerEngine.containers(PROJECT_LABEL + "=" + project, false)) {
                container.label(SERVICE_LABEL).ifPresent(service -> containers.put(service, container.id()));
            }
        } catch (LabException e) {
            throw new LabException(
                    "cannot query the Docker engine for the composition " + project + ": " + e.getMessage()
                            + "; 'naklab doctor' reports what is missing",
                    e);
        }
        require(project, containers, services);
        return new ComposeProject(project, containers);
    }

    private static void require(String project, Map<String, String> containers, List<String> services) {
        if (containers.isEmpty()) {
            throw new InputException("no composition " + project
                    + " is running: 'docker compose up -d' in the project's directory starts it, and --project "
                    + "selects another");
        }
        List<String> missing = services.stream()
                .filter(service -> !containers.containsKey(service))
                .toList();
        if (!missing.isEmpty()) {
            throw new LabException("the composition " + project + " runs no " + String.join(", no ", missing)
                    + ": 'docker compose up -d' in the project's directory starts the missing services, and "
                    + "'docker compose ps -a' lists them");
        }
    }

    /** Returns the id of a service's container. */
    public String container(String service) {
        @Nullable String id = containers.get(service);
        if (id == null) {
            throw new IllegalStateException("the composition " + project + " was not searched for " + service);
        }
        return id;
    }
}
