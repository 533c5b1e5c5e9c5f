/** Cases that are made by running the real thing, and the place where that is done. */
@NullMarked
package org.naklab.lab.workshop.live;

import org.jspecify.annotations.NullMarked;
