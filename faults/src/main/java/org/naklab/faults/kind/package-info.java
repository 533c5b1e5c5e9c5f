/** The faults, one class each. {@code docs/reference/faults.md} lists parameters, proof and privileges. */
@org.jspecify.annotations.NullMarked
package org.naklab.faults.kind;
