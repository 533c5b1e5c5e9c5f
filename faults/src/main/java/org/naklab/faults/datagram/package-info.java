/** Faults of the network, made at Aeron's channel endpoints. */
@org.jspecify.annotations.NullMarked
package org.naklab.faults.datagram;
