package org.naklab.lab.process;

import java.nio.file.Path;
import java.util.List;

/**
 * The container that a process is started in.
 *
 * @param name of the container
 * @param image with a distribution of the lab below {@value #ROOT}
 * @param options of {@code docker run}, without the name
 * @param entry comes before the JVM in the container; empty: nothing
 * @param aeronDirectory of the process's driver, in the container
 * @param standsBy whether the container runs already and the process is executed in it; image and options are its own then
 */
public record ContainerSpec(
        String name, String image, List<String> options, List<String> entry, String aeronDirectory, boolean standsBy) {
    /** Directory of the lab in the image. */
    public static final String ROOT = "/opt/naklab";
    /** Path of the JVM in the image. */
    public static final String JAVA = "/opt/jre/bin/java";

    /** File in the container's shared memory in which its JVM logs safepoints and collections. */
    public static final Path JVM_LOG = Path.of("/dev/shm/naklab-jvm.log");

    public ContainerSpec {
        options = List.copyOf(options);
        entry = List.copyOf(entry);
    }

    /** Creates the specification of a container that is started for the process. */
    public ContainerSpec(String name, String image, List<String> options, List<String> entry, String aeronDirectory) {
        this(name, image, options, entry, aeronDirectory, false);
    }

    /** Creates the specification of a container that is already running. */
    public static ContainerSpec standingBy(String name, List<String> entry, String aeronDirectory) {
        return new ContainerSpec(name, "", List.of(), entry, aeronDirectory, true);
    }
}
