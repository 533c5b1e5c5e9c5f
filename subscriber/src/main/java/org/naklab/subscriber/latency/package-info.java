/** Measures how late the events of a feed are on their way through a subscriber. */
@NullMarked
package org.naklab.subscriber.latency;

import org.jspecify.annotations.NullMarked;
