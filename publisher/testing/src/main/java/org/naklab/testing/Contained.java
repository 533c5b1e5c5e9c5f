package org.naklab.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** Marks a test class that needs a container engine and the lab's image; it belongs to the long matrix, {@code mvn verify -Pmatrix}. */
@Tag("container")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Contained {}
