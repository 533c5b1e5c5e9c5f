/** Checks what this machine supports, and says what to do about what is missing. */
@NullMarked
package org.naklab.lab.cli.doctor;

import org.jspecify.annotations.NullMarked;
