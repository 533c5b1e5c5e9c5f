/**
 * Faults for the containers of other people's tests, whatever is in them, and the lab's own containers: an exchange, a market data service and
 * gateways, with assertions. The types of the API are those of the JDK, of Testcontainers and of this package. What cannot be done here is an
 * {@link java.lang.IllegalStateException}, what cannot be done anywhere an {@link java.lang.IllegalArgumentException}; their messages are one line.
 */
@NullMarked
package org.naklab.testcontainers;

import org.jspecify.annotations.NullMarked;
