package org.naklab.lab.containers;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips a class, with the reason, where no container can be made; where the environment requires an engine, that is a failure. */
public final class ContainerEngine implements BeforeAllCallback {
    private static final String REQUIRED = "NAKLAB_ENGINE_REQUIRED";

    @Override
    public void beforeAll(ExtensionContext context) {
        Image.refusal().ifPresent(ContainerEngine::skip);
    }

    /** Skips what has not begun. */
    static void skip(String reason) {
        if ("true".equals(System.getenv(REQUIRED))) {
            fail("must not be skipped where " + REQUIRED + " is set: " + reason);
        }
        abort(reason);
    }
}
