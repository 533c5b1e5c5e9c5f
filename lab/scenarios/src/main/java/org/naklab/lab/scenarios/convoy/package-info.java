/** The scenario of an application that does nothing, slowly: writers that take the lock of a file for every case. */
@NullMarked
package org.naklab.lab.scenarios.convoy;

import org.jspecify.annotations.NullMarked;
