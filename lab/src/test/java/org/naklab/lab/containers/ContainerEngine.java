package org.naklab.lab.containers;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips a class, with the reason, where no container can be made; in continuous integration that is a failure. */
public final class ContainerEngine implements BeforeAllCallback {
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
