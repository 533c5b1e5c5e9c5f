/** The events of a case file by kind, process, thread and time. */
@NullMarked
package org.naklab.lab.diagnosis.events;

import org.jspecify.annotations.NullMarked;
