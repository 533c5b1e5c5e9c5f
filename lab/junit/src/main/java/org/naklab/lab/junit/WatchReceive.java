package org.naklab.lab.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Watches the UDP sockets of the JVM while a test is executed, injects nothing, and fails the test if its receivers lost datagrams or
 * stalled. The message has the diagnosis of {@code naklab watch} and the directory of the evidence, which is
 * {@code target/naklab-watch/CLASS/METHOD} unless the configuration parameter {@value WatchReceiveExtension#DIRECTORY} names another parent.
 *
 * <p>It covers the execution of the test method, after {@code @BeforeEach}, and all receivers of the JVM: tests that are executed in parallel
 * are not told apart. Sockets and media drivers that the test makes itself are found within a second. All tests of a JVM share one watch, which the first of them
 * starts, in seconds, and JUnit ends after the last; each test has the findings of its own time. Linux only.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@ExtendWith(WatchReceiveExtension.class)
public @interface WatchReceive {
    /** Returns the failures of reception that make the test fail; by default all. */
    ReceiveFailure[] failOn() default {ReceiveFailure.DROPS, ReceiveFailure.NAKS, ReceiveFailure.STALL_OVER_20MS};

    /** Returns the length, such as {@code 50ms} or {@code 2s}, up to which a stall does not make the test fail. */
    String stallOver() default "20ms";

    /**
     * Returns causes that do not make the test fail, such as {@link StallCause#CPU_PREEMPTION} on a machine that others use too: neither their stalls
     * nor the datagrams that were lost to them.
     */
    StallCause[] except() default {};
}
