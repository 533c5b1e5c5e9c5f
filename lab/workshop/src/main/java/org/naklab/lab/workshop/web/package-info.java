/** The workshop in browsers: the pages of trainees and of the trainer, and their server. */
@NullMarked
package org.naklab.lab.workshop.web;

import org.jspecify.annotations.NullMarked;
