/** Faults as the command line writes them: {@code KIND[:name=value,…][@WHEN]}. */
@org.jspecify.annotations.NullMarked
package org.naklab.faults.notation;
