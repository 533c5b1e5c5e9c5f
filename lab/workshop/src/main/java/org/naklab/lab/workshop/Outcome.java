package org.naklab.lab.workshop;

import java.nio.file.Path;
import java.util.stream.Collectors;
import org.naklab.lab.cases.Case;
import org.naklab.lab.cases.CaseReader;
import org.naklab.lab.cases.Judgement;
import org.naklab.lab.core.Format;

/** Tells what came of a recorded run, without its cause. */
final class Outcome {
    private Outcome() {}

    /** Returns the longest stall and the losses of the run of a case, in one line. */
    static String of(Path directory) {
        try (CaseReader reader = CaseReader.open(directory)) {
            Case evidence = reader.read();
            String suspect = evidence.document().subject().suspect();
            double longest = Judgement.of(evidence, reader.truth()).stalls().stream()
                    .filter(stall -> stall.process().equals(suspect))
                    .mapToDouble(stall -> stall.durationMs())
                    .max()
                    .orElse(0);
            return "longest stall of " + suspect + " " + (longest == 0 ? "none" : Format.milliseconds(longest)) + "; "
                    + evidence.document().counters().receivers().stream()
                            .map(receiver -> receiver.counters().name() + ": "
                                    + Format.counted(
                                            receiver.counters().losses().datagramsDropped(), "datagram") + " dropped, "
                                    + naks(receiver.counters().losses().naksSent()))
                            .collect(Collectors.joining("; "));
        }
    }

    /** A program of others does not count what it asks for. */
    private static String naks(long sent) {
        return sent < 0 ? "NAKs not counted" : Format.counted(sent, "NAK") + " sent";
    }
}
