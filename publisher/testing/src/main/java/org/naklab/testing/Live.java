package org.naklab.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks a test class that runs the replica or a watch on the real machine in the default build. All such classes together may make 25 runs; {@code LiveRunsTest}
 * adds them up.
 */
@Tag("live")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Live {
    /** Returns the number of runs that the class makes if none of them is disturbed. */
    int runs();
}
