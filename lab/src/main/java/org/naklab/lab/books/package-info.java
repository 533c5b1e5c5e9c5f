/** Books out of a source file, without a network. */
@NullMarked
package org.naklab.lab.books;

import org.jspecify.annotations.NullMarked;
