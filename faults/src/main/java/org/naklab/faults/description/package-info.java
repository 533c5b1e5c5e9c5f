/** Describes kinds of faults for users. Depends on no other package. */
@org.jspecify.annotations.NullMarked
package org.naklab.faults.description;
