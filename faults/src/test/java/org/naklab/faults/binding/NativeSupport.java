package org.naklab.faults.binding;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Optional;

/** For tests of what needs the native libraries: a build without a compiler goes on without them. */
public final class NativeSupport {
    private NativeSupport() {}

    /** Skips the test, saying why and what to install, where the libraries were not built. */
    public static void assume() {
        Optional<String> reason = NativeLibraries.unavailableReason();
        assumeTrue(reason.isEmpty(), () -> reason.orElse(""));
    }
}
