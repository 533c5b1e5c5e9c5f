/** How late the events of the feed were at a subscriber, as its process reports it. */
@NullMarked
package org.naklab.lab.replica.latency;

import org.jspecify.annotations.NullMarked;
