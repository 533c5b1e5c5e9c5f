/** The profiler of library calls: a program is started with an audit library that counts and times what it calls. */
@NullMarked
package org.naklab.lab.instruments.calls;

import org.jspecify.annotations.NullMarked;
