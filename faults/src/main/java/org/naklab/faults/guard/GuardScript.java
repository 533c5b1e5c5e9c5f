package org.naklab.faults.guard;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.naklab.faults.FaultException;
import org.naklab.faults.TargetProcess;

/** Commands of the shell scripts that stand beside this class. */
final class GuardScript {
    private GuardScript() {}

    /** Undoes what a ledger promises when its standard input ends; a signal to this process's group does not reach it. */
    static ProcessBuilder guard(Path ledger, int tries) {
        ProcessBuilder builder = new ProcessBuilder(
                "setsid", "/bin/sh", "-c", text("guard.sh"), "naklab-guard", ledger.toString(), String.valueOf(tries));
        // A tool needs no audit library, and must not count as audited.
        builder.environment().remove("LD_AUDIT");
        return builder;
    }

    /**
     * Does the same when a process ends, whoever else is killed with it: it is no child of this process, in a session of its own, and as root in no control group but the
     * first.
     */
    static ProcessBuilder second(Path ledger, int tries, TargetProcess process) {
        ProcessBuilder builder = guard(ledger, tries);
        List<String> words = new ArrayList<>(builder.command());
        words.add(1, "--fork");
        words.add(String.valueOf(process.pid()));
        words.add(String.valueOf(process.startTicks()));
        return builder.command(words);
    }

    /** Runs a command that the guard waits for, and that does not begin when this process has ended. */
    static List<String> act(Path ledger, ProcessIdentity self, List<String> command) {
        List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", text("act.sh"), "naklab-act", ledger.toString()));
        words.add(String.valueOf(self.process().pid()));
        words.add(String.valueOf(self.process().startTicks()));
        words.addAll(command);
        return words;
    }

    /** Quotes words for a shell. */
    static String quoted(List<String> words) {
        return String.join(
                " ",
                words.stream()
                        .map(word -> "'" + word.replace("'", "'\\''") + "'")
                        .toList());
    }

    private static String text(String name) {
        try (InputStream script = GuardScript.class.getResourceAsStream(name)) {
            if (script == null) {
                throw new FaultException("the jar has no " + name);
            }
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new FaultException("cannot read " + name + " from the jar", e);
        }
    }
}
