package org.naklab.faults.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares the fault plan of a test, or of all tests of a class; the test's own wins. Goes with
 * {@code @ExtendWith(FaultsExtension.class)}.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Faults {
    /** The plan as JSON, as {@link org.naklab.faults.FaultPlan#fromJson} reads it. */
    String value();
}
