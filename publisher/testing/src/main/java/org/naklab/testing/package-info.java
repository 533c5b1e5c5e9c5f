/** Support that the tests of several modules share. It depends on no other module of the project. */
@NullMarked
package org.naklab.testing;

import org.jspecify.annotations.NullMarked;
