/** The locks of UDP ports, which keep two runs from mixing their feeds. */
@NullMarked
package org.naklab.lab.port;

import org.jspecify.annotations.NullMarked;
