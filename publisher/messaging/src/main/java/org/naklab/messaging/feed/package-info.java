/** The rules that every receiver of a feed applies to a message before it uses it. */
package org.naklab.messaging.feed;
