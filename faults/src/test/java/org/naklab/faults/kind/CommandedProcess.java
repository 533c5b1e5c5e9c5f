package org.naklab.faults.kind;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.naklab.faults.FaultCommands;
import org.naklab.faults.FaultController;
import org.naklab.faults.FaultRunner;
import org.naklab.faults.FaultSite;
import org.naklab.faults.seam.Yielder;

/** Child process: obeys fault commands on its standard input, and yields on {@code yield}. */
final class CommandedProcess {
    private CommandedProcess() {}

    public static void main(String[] arguments) throws IOException {
        FaultSite site = new FaultSite("mds");
        Yielder yielder = site.offer("mds-context", new Yielder());
        FaultController controller = new FaultController(site);
        FaultCommands commands = new FaultCommands(controller);
        try (FaultRunner runner = FaultRunner.launch(controller)) {
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                if (line.equals("yield")) {
                    long beginNs = System.nanoTime();
                    yielder.yieldOnce();
                    System.out.println(System.nanoTime() - beginNs);
                } else if (line.startsWith("armed ")) {
                    System.out.println(runner.controller().isArmed(line.substring(6)));
                } else {
                    System.out.println(commands.execute(line));
                }
            }
        }
    }
}
