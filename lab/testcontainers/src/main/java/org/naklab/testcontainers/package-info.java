/**
 * The lab for other people's tests: an exchange, a market data service and gateways in containers of their own, what can go wrong in
 * one of them, and what is to be seen of it, as assertions.
 */
@NullMarked
package org.naklab.testcontainers;

import org.jspecify.annotations.NullMarked;
