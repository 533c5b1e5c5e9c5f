/** Pages in a browser, used as a person uses them. */
@NullMarked
package org.naklab.testing.browser;

import org.jspecify.annotations.NullMarked;
