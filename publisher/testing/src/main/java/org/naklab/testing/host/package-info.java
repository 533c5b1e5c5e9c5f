/** Support for what tests need of their host: the container engine and images, ports, the page cache, programs. */
@NullMarked
package org.naklab.testing.host;

import org.jspecify.annotations.NullMarked;
