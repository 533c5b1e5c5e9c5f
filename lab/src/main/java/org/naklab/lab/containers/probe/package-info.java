/** Numbered datagrams from one container to others: whether a network carries multicast, and what a fault does to it. */
@NullMarked
package org.naklab.lab.containers.probe;

import org.jspecify.annotations.NullMarked;
