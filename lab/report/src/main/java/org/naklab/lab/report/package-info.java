/** The report of a run as one HTML page. */
@NullMarked
package org.naklab.lab.report;

import org.jspecify.annotations.NullMarked;
