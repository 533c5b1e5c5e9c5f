/**
 * The system of record and what is derived from it: the journal on Chronicle Queue, its reader, verifier, dumper and
 * exporter, and downstream of it the surveillance format and the CSV files. FORMAT.md draws the layouts.
 */
@NullMarked
package org.naklab.journaler;

import org.jspecify.annotations.NullMarked;
