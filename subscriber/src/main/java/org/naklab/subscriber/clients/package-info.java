/** Serves the order books to clients: ITCH over SoupBinTCP and MoldUDP64, snapshots of late joiners (GLIMPSE), best prices. */
@org.jspecify.annotations.NullMarked
package org.naklab.subscriber.clients;
