/** The messages of a feed, and the rules that every receiver applies to a message before it uses it. */
package org.naklab.messaging.feed;
