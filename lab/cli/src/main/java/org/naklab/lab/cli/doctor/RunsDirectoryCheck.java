package org.naklab.lab.cli.doctor;

import java.nio.file.Path;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.LabException;
import org.naklab.lab.scenarios.record.RunDirectory;

/** Tells whether this user can write runs where they are kept, and whether there is room for one. */
final class RunsDirectoryCheck {
    static final String NAME = "runs";

    private RunsDirectoryCheck() {}

    static CheckResult examine(Path runs) {
        try {
            return CheckResult.yes(NAME, Format.bytes(RunDirectory.check(runs)) + " free for " + runs)
                    .asNeeded();
        } catch (LabException e) {
            return CheckResult.no(
                            NAME,
                            String.valueOf(e.getMessage()),
                            "name another directory: --runs DIR, or a line runs=DIR in the configuration file")
                    .asNeeded();
        }
    }
}
