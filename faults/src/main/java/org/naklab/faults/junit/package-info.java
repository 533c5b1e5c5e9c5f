/** Faults in the tests of any project that has JUnit 5: {@link org.naklab.faults.junit.FaultsExtension}. */
@org.jspecify.annotations.NullMarked
package org.naklab.faults.junit;
