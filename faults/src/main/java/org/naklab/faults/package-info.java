/** Faults that prove that they fired, and the plan that schedules them. */
@org.jspecify.annotations.NullMarked
package org.naklab.faults;
