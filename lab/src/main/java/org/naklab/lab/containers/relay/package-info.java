/** Datagrams taken out of a container's interface, impaired, and given back: for kernels that have no discipline for that. */
@NullMarked
package org.naklab.lab.containers.relay;

import org.jspecify.annotations.NullMarked;
