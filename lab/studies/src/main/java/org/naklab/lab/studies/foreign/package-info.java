/**
 * The blind matrix: disturbances that scripts make from outside, and what the diagnosis says about them. Nothing here uses a kind of fault or
 * the diagnosis's own types: a diagnosis is read from the files of its run.
 */
@NullMarked
package org.naklab.lab.studies.foreign;

import org.jspecify.annotations.NullMarked;
