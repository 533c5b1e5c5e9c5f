/** Serves run directories over HTTP. */
@NullMarked
package org.naklab.lab.dashboard;

import org.jspecify.annotations.NullMarked;
