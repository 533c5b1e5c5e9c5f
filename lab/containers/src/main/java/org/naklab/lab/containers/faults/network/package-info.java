/** Faults of the network between containers, and the relay that injects some of them. */
@NullMarked
package org.naklab.lab.containers.faults.network;

import org.jspecify.annotations.NullMarked;
