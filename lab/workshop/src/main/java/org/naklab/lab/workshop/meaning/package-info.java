/** Explains the words that a trainee reads and writes. */
@NullMarked
package org.naklab.lab.workshop.meaning;

import org.jspecify.annotations.NullMarked;
