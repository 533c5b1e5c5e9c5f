package org.naklab.testing;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * Fails a test in continuous integration ({@code NAKLAB_CI=true}) in place of skipping it, unless the reason is on the list of allowed skips: there, what can be installed is
 * installed. JUnit finds it as a service.
 */
public final class SkipGuard implements TestExecutionExceptionHandler, LifecycleMethodExecutionExceptionHandler {
    private final boolean isCi;
    private final AllowedSkips allowed;

    /** Reads the environment, and the list of the project. */
    public SkipGuard() {
        this("true".equals(System.getenv("NAKLAB_CI")), AllowedSkips.OF_PROJECT);
    }

    SkipGuard(boolean isCi, AllowedSkips allowed) {
        this.isCi = isCi;
        this.allowed = allowed;
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        throw checked(thrown);
    }

    @Override
    public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        throw checked(thrown);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        throw checked(thrown);
    }

    Throwable checked(Throwable thrown) {
        @Nullable String reason = thrown.getMessage();
        return isCi && thrown instanceof TestAbortedException && (reason == null || !allowed.contain(reason))
                ? new AssertionError("skipped for a reason that is not in allowed-skips.txt: " + reason, thrown)
                : thrown;
    }
}
