/** Publications of a context, with and without a rate limit, and the rate controller that enforces the limit. */
@NullMarked
package org.naklab.messaging.publication;

import org.jspecify.annotations.NullMarked;
