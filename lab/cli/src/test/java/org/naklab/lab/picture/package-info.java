/** The moving picture of the README. */
@NullMarked
package org.naklab.lab.picture;

import org.jspecify.annotations.NullMarked;
