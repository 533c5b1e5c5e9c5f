/** Reports how late the events of the feed were at a subscriber. */
@NullMarked
package org.naklab.lab.replica.latency;

import org.jspecify.annotations.NullMarked;
