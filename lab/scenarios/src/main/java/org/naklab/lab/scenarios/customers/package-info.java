/** Scenarios about the customers of a gateway. */
@NullMarked
package org.naklab.lab.scenarios.customers;

import org.jspecify.annotations.NullMarked;
