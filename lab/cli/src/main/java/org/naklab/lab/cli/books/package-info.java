/** Prints order books that were built from an order flow. */
@NullMarked
package org.naklab.lab.cli.books;

import org.jspecify.annotations.NullMarked;
