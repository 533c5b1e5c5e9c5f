package org.naklab.lab.containers;

import java.util.Optional;

/** The lab's image. */
public final class Image {
    /** Names another image than {@value #DEFAULT}. */
    public static final String VARIABLE = "NAKLAB_IMAGE";

    private static final String DEFAULT = "naklab";

    private Image() {}

    public static String name() {
        String named = System.getenv(VARIABLE);
        return named == null ? DEFAULT : named;
    }

    /** Returns the reason why no container can be created from the image here, and what to do; empty if one can. */
    public static Optional<String> refusal() {
        return refusal(name());
    }

    /** Returns the same for another image than {@link #name()}. */
    public static Optional<String> refusal(String image) {
        Optional<String> noEngine = DockerEngine.refusal();
        if (noEngine.isPresent()) {
            return Optional.of("no Docker engine responds (" + noEngine.get()
                    + "): start one, or join its group; see docs/how-to/docker.md");
        }
        return DockerEngine.hasImage(image)
                ? Optional.empty()
                : Optional.of("there is no image " + image + ": docker build -t " + image
                        + " . in the project's directory, or " + VARIABLE + " selects another image");
    }
}
