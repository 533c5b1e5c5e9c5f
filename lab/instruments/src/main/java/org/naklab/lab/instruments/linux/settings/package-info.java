/** The settings of the machine and its kernel on which latencies depend. */
@NullMarked
package org.naklab.lab.instruments.linux.settings;

import org.jspecify.annotations.NullMarked;
