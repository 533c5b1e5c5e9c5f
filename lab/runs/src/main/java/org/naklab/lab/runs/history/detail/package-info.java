/** The tables of the history that are for queries: what happened in a run, when, and what proves it; and the export of all tables. */
@NullMarked
package org.naklab.lab.runs.history.detail;

import org.jspecify.annotations.NullMarked;
