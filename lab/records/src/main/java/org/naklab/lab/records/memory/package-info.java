/** Records what a run says of the memory of its processes. */
@NullMarked
package org.naklab.lab.records.memory;

import org.jspecify.annotations.NullMarked;
