/** The behaviour of LBT-RM in Aeron's driver: flow control, NAK back-off and the limit of retransmits. */
@NullMarked
package org.naklab.messaging.lbtrm;

import org.jspecify.annotations.NullMarked;
