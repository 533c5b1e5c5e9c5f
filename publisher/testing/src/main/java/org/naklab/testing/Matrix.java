package org.naklab.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** Marks a test class, or a method of a live one, that belongs to the long matrix, {@code mvn verify -Pmatrix}, and not to the default build. */
@Tag("matrix")
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface Matrix {}
