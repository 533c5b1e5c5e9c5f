package org.naklab.lab.cli.hunt;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.function.Predicate;
import org.naklab.lab.core.Units;
import org.naklab.lab.records.RunDocument;
import org.naklab.lab.terminal.Converters;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Tells what a hunt is after.
 *
 * @param text as on the command line
 * @param judged whether a run can tell
 */
record HuntCondition(@JsonValue String text, Predicate<RunDocument> judged, Predicate<RunDocument> hit) {
    private static final String STALL = "stall>";

    /** Shorter stalls are not in the record of a run. */
    private static final double LEAST_STALL_MS = 20;

    /** Returns whether a run can tell if it has what the hunt is after. */
    boolean isJudgedBy(RunDocument run) {
        return run.finding().verdict() != null && judged.test(run);
    }

    /** Returns whether a run has what the hunt is after. */
    boolean isMetBy(RunDocument run) {
        return hit.test(run);
    }

    /** Reads {@code nak}, {@code fail} or {@code stall>100ms}. */
    static final class Converter implements ITypeConverter<HuntCondition> {
        @Override
        public HuntCondition convert(String given) {
            String text = given.replace(" ", "");
            if (text.equals("nak")) {
                return new HuntCondition(
                        text, Converter::hasReceived, run -> run.counts().naks() > 0);
            }
            if (text.equals("fail")) {
                return new HuntCondition(
                        text, run -> !"unknown".equals(run.finding().verdict()), run -> "fail"
                                .equals(run.finding().verdict()));
            }
            if (text.startsWith(STALL)) {
                return stall(text);
            }
            throw new TypeConversionException("'" + given + "' is none of nak, fail and 'stall>100ms'");
        }

        /** A run without a verdict, such as one whose fault did not fire, counts its NAKs and stalls as well. */
        private static boolean hasReceived(RunDocument run) {
            return run.messages().received() > 0;
        }

        private static HuntCondition stall(String text) {
            double limitMs = new Converters.Duration().convert(text.substring(STALL.length())) / Units.NS_PER_MS;
            if (limitMs < LEAST_STALL_MS) {
                throw new TypeConversionException("a run records stalls of 20ms and more, not " + text);
            }
            return new HuntCondition(text, Converter::hasReceived, run -> run.stalls().stream()
                    .anyMatch(stall -> stall.durationMs() > limitMs));
        }
    }
}
