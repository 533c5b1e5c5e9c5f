/** Decides which datagrams reach Aeron's receiver: those of one feed from one source, with frames that its sender could have sent. */
package org.naklab.messaging.guard;
