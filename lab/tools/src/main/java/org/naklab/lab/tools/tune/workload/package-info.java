/** Workloads whose arms are chosen by a system property: each measures one habit of the machine or of the JVM. */
package org.naklab.lab.tools.tune.workload;
