package org.naklab.testing.host;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips a class, with the reason, where no container can be made; where the environment requires an engine, that is a failure. While the class runs, no
 * other process evicts the image's pages.
 */
public final class ContainerEngine implements BeforeAllCallback, AfterAllCallback {
    private static final String REQUIRED = "NAKLAB_ENGINE_REQUIRED";

    private static final String IMAGE_VARIABLE = "NAKLAB_IMAGE";
    private static final String DEFAULT_IMAGE = "naklab";

    @Override
    public void beforeAll(ExtensionContext context) {
        ToolOutput engine = ToolOutput.of("docker", "version", "--format", "{{.Server.Version}}");
        if (!engine.succeeded()) {
            skip("no Docker engine answers: " + engine.output().strip());
        }
        if (!ToolOutput.of("docker", "image", "inspect", image()).succeeded()) {
            skip("there is no image " + image() + "; " + IMAGE_VARIABLE + " names another");
        }
        ImageLock.share();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        ImageLock.release();
    }

    /** Returns the name of the lab's image. */
    static String image() {
        return System.getenv().getOrDefault(IMAGE_VARIABLE, DEFAULT_IMAGE);
    }

    /** Skips what has not begun. */
    static void skip(String reason) {
        if ("true".equals(System.getenv(REQUIRED))) {
            fail("must not be skipped where " + REQUIRED + " is set: " + reason);
        }
        abort(reason);
    }
}
