/** The messages of ITCH 5.0 that a client of the order books gets, and those that the lab adds. */
@org.jspecify.annotations.NullMarked
package org.naklab.subscriber.itch;
