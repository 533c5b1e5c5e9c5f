/**
 * The commands about the linkage of programs: what is bound, and which library functions take the time. A program is started with an audit library
 * that counts and times what it calls, or observed with probes and samples.
 */
@NullMarked
package org.naklab.lab.tools.linking;

import org.jspecify.annotations.NullMarked;
