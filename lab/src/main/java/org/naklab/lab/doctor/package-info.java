/** What this machine can do, and what to do about what it cannot. */
@NullMarked
package org.naklab.lab.doctor;

import org.jspecify.annotations.NullMarked;
