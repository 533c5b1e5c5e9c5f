package org.naklab.faults.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Declares the fault plan of a test, or of all tests of a class. It also registers {@link FaultsExtension}, so that nothing else
 * is needed.
 *
 * <p>The plan of a test is that of the nearest declaration: of its method, its class or superclass, or the classes around it, each
 * also by an annotation that is annotated with this one.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@ExtendWith(FaultsExtension.class)
public @interface Faults {
    /**
     * The plan as JSON, as {@link org.naklab.faults.FaultPlan#fromJson} reads it. The default is a plan without faults, for tests that
     * make their own with {@link TestFaults#plan(org.naklab.faults.FaultPlan)}.
     */
    String value() default "{}";

    /**
     * Returns whether a test fails that would pass although a fault of its plan did not fire, for instance because no datagram came by: such
     * a test has shown nothing. If false, the reason is printed only.
     */
    boolean mustFire() default true;
}
