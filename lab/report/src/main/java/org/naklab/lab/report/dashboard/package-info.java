/** Serves run directories over HTTP. */
@NullMarked
package org.naklab.lab.report.dashboard;

import org.jspecify.annotations.NullMarked;
