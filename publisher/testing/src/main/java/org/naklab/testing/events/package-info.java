/** Events of which a test says only what matters to it. */
@NullMarked
package org.naklab.testing.events;

import org.jspecify.annotations.NullMarked;
