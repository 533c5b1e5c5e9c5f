/** The lab: what its packages share. */
@NullMarked
package org.naklab.lab;

import org.jspecify.annotations.NullMarked;
