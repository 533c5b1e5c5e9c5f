/** Measures how long the service's best bid and offer were not those of the exchange. */
@NullMarked
package org.naklab.lab.replica.quotes;

import org.jspecify.annotations.NullMarked;
