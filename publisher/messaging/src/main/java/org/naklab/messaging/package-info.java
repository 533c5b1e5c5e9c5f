/** The transport of the feed: one context per process, with Aeron's driver, its subscriptions and its timers on one thread. */
@NullMarked
package org.naklab.messaging;

import org.jspecify.annotations.NullMarked;
