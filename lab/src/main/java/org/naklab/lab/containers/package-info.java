/** The engine that runs containers, as its command line offers it: what a run makes there, and takes away again. */
@NullMarked
package org.naklab.lab.containers;

import org.jspecify.annotations.NullMarked;
