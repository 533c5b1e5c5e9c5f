/** Locks the ports of a run against other runs on this machine. */
@NullMarked
package org.naklab.lab.scenarios.port;

import org.jspecify.annotations.NullMarked;
