/** The customers of the service and the gateways: how they are served, the process that they are in, and what they see. */
@NullMarked
package org.naklab.lab.replica.customers;

import org.jspecify.annotations.NullMarked;
