/** Keeps the cause of a case from its trainee: encryption, neutral names, and the search for what gives it away. */
@NullMarked
package org.naklab.lab.workshop.seal;

import org.jspecify.annotations.NullMarked;
