/** {@code report.html}: what a run's directory holds, as one page that needs no network. */
@NullMarked
package org.naklab.lab.report;

import org.jspecify.annotations.NullMarked;
