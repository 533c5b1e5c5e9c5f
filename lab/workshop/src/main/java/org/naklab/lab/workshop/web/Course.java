package org.naklab.lab.workshop.web;

import java.nio.file.Path;
import java.util.List;
import org.naklab.lab.workshop.Unit;
import org.naklab.lab.workshop.Workshop;

/**
 * The course that a server offers.
 *
 * @param directory of the workshop
 * @param corpus directory of the recorded cases
 * @param alone the link of who does it alone
 */
record Course(Path directory, Path corpus, List<Unit> units, Classroom classroom, LoneLink alone) {
    Course {
        units = List.copyOf(units);
    }

    /** Opens the workshop of a trainee. */
    Workshop open(String trainee) {
        return Workshop.open(directory, corpus, units, trainee);
    }
}
