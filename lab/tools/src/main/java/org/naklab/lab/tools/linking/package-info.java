/** The commands about the linkage of programs: what is bound, and which library functions take the time. */
@NullMarked
package org.naklab.lab.tools.linking;

import org.jspecify.annotations.NullMarked;
