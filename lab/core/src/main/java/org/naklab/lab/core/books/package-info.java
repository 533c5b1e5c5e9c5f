/** The order books that the customers of a run see, for pages and files. */
@NullMarked
package org.naklab.lab.core.books;

import org.jspecify.annotations.NullMarked;
