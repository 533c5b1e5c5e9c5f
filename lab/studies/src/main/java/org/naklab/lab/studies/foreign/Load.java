package org.naklab.lab.studies.foreign;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.naklab.lab.core.UsageException;

/** Tells what else the machine does during the runs. */
public enum Load {
    /** Nothing that the lab starts. */
    NONE,
    /** As many loops of nice 19 as there are processors: the machine is busy, but everything else goes before them. */
    BUSY;

    /** Returns the word of the command line and of the JSON document. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the load of that word.
     *
     * @throws UsageException if there is none
     */
    public static Load of(String label) {
        return Arrays.stream(values())
                .filter(load -> load.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new UsageException("'" + label + "' is not a load; there are: "
                        + Arrays.stream(values()).map(Load::label).collect(Collectors.joining(", "))));
    }
}
