/** What users are told about kinds of faults. Depends on no other package. */
@org.jspecify.annotations.NullMarked
package org.naklab.faults.description;
