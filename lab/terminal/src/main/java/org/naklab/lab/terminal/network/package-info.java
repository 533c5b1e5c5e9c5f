/** The options of the multicast network, and the lock of a run's ports against other runs on this machine. */
@NullMarked
package org.naklab.lab.terminal.network;

import org.jspecify.annotations.NullMarked;
