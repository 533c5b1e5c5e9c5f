/** The flame graph of the stacks on which a thread waited. */
@NullMarked
package org.naklab.lab.report.flame;

import org.jspecify.annotations.NullMarked;
