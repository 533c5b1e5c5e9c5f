/** Watches the receivers of any project's JUnit 5 tests: {@link org.naklab.lab.junit.WatchReceive}. */
@org.jspecify.annotations.NullMarked
package org.naklab.lab.junit;
