package org.naklab.lab.process;

import java.util.List;

/**
 * The container that a process is started in.
 *
 * @param name of the container
 * @param image with a distribution of the lab below {@value #ROOT}
 * @param options of {@code docker run}, without the name
 * @param entry comes before the JVM in the container; empty: nothing
 * @param aeronDirectory of the process's driver, in the container
 */
public record ContainerSpec(
        String name, String image, List<String> options, List<String> entry, String aeronDirectory) {
    /** Where the image has the lab. */
    public static final String ROOT = "/opt/naklab";
    /** Where the image has the JVM. */
    public static final String JAVA = "/opt/jre/bin/java";

    public ContainerSpec {
        options = List.copyOf(options);
        entry = List.copyOf(entry);
    }
}
