/** Measures the service in particular situations: its journal rolls, its descriptors run out, the kernel reads ahead of its journal. */
package org.naklab.lab.tools.service;
