/** A small HTTP server for pages that people look at, with its protections. */
@NullMarked
package org.naklab.lab.report.web;

import org.jspecify.annotations.NullMarked;
