/** The transport of a child process: configuration, construction and final report. */
@NullMarked
package org.naklab.lab.replica.transport;

import org.jspecify.annotations.NullMarked;
