package org.naklab.testcontainers;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.naklab.lab.containers.Image;

/** Skips a class, with the reason, where no container can be made; in continuous integration that is a failure. */
final class RequiresEngine implements BeforeAllCallback {
    private static final String CONTINUOUS_INTEGRATION = "NAKLAB_CI";

    @Override
    public void beforeAll(ExtensionContext context) {
        Image.refusal().ifPresent(reason -> {
            if ("true".equals(System.getenv(CONTINUOUS_INTEGRATION))) {
                fail("must not be skipped where " + CONTINUOUS_INTEGRATION + " is set: " + reason);
            }
            abort(reason);
        });
    }
}
