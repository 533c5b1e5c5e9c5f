package org.naklab.lab.cli;

import java.io.IOException;
import java.nio.file.Path;
import org.naklab.faults.TargetProcess;
import org.naklab.faults.guard.Guard;

/** Child process: promises, as a fault does, to let a process continue and to delete a file, and waits until it is killed. */
final class PromisingLab {
    private PromisingLab() {}

    /** Arguments: the id of the process, and the file. */
    public static void main(String[] arguments) throws IOException {
        Guard guard = new Guard();
        Guard.Promise continued = guard.toContinue(TargetProcess.of(Long.parseLong(arguments[0])));
        Guard.Promise deleted = guard.toDelete(Path.of(arguments[1]));
        System.out.println("promised " + continued + " and " + deleted);
        // Its standard input is a pipe, which ends with whoever started it.
        int end = System.in.read();
        System.out.println("ended by " + end);
    }
}
