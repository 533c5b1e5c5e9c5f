/** Late binding: the native library that yields through its linkage table, and the audit library that delays the bind. */
@org.jspecify.annotations.NullMarked
package org.naklab.faults.binding;
