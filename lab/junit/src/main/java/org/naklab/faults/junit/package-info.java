/** Faults in the tests of any project with JUnit 5: {@link org.naklab.faults.junit.Faults}. */
@org.jspecify.annotations.NullMarked
package org.naklab.faults.junit;
