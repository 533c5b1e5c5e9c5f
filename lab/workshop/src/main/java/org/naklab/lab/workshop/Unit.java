package org.naklab.lab.workshop;

import java.util.List;
import java.util.Map;

/**
 * One unit of the course: the texts that a trainee reads, and the recorded cases of which each trainee gets one.
 *
 * @param name of its folder, which begins with its number
 * @param text the sections of {@code unit.md} by their headings
 */
public record Unit(String name, Settings settings, Map<String, String> text) {
    /** Name of the file with the settings. */
    public static final String SETTINGS = "unit.yaml";

    /** Name of the file with the texts. */
    public static final String TEXTS = "unit.md";

    /** What to find out, in one question. */
    public static final String QUESTION = "Question";
    /** What one has to know before. */
    public static final String BACKGROUND = "Background";
    /** How to begin. */
    public static final String HUNT = "Hunt";
    /** What the lesson is; shown after the answer only. */
    public static final String DEBRIEF = "Debrief";
    /** Where more is written, each with its address. */
    public static final String READING = "Further reading";

    static final List<String> SECTIONS = List.of(QUESTION, BACKGROUND, HUNT, DEBRIEF, READING);
    /** Sections that are shown before the answer. */
    static final List<String> OPEN_SECTIONS = List.of(QUESTION, BACKGROUND, HUNT);

    /**
     * {@code unit.yaml}.
     *
     * @param title in a few words
     * @param minutes that it should take
     * @param level 1 to 3
     * @param needs what the trainee's machine needs
     * @param budget points to spend on evidence
     * @param suspects labels of the causes among which the answer is
     * @param cases of the corpus; a trainee gets one of them
     * @param hints the first that fits is given
     * @param experiments other than measurements
     * @param noExperiments why it has none; empty: it has some
     * @param remedies what came of a remedy, by its label
     */
    public record Settings(
            String title,
            int minutes,
            int level,
            String needs,
            int budget,
            List<String> suspects,
            List<CaseChoice> cases,
            List<Hint> hints,
            List<Experiment> experiments,
            String noExperiments,
            Map<String, String> remedies) {
        public Settings {
            suspects = List.copyOf(suspects);
            cases = List.copyOf(cases);
            hints = hints == null ? List.of() : List.copyOf(hints);
            experiments = experiments == null ? List.of() : List.copyOf(experiments);
            noExperiments = noExperiments == null ? "" : noExperiments;
            remedies = remedies == null ? Map.of() : Map.copyOf(remedies);
        }
    }

    /**
     * A case that a trainee may get.
     *
     * @param name in the corpus
     * @param solution the reference solution
     * @param reruns the recorded case that answers an experiment, by its name; without one, the change makes no difference to the case
     * @param remedied the recorded case without the cause, at the same load or a higher one; empty: none was recorded
     */
    public record CaseChoice(String name, Solution solution, Map<String, String> reruns, String remedied) {
        public CaseChoice {
            reruns = reruns == null ? Map.of() : Map.copyOf(reruns);
            remedied = remedied == null ? "" : remedied;
        }

        /** Returns the recorded case that answers an experiment. */
        String rerun(String experiment) {
            return reruns.getOrDefault(experiment, name);
        }
    }

    /**
     * The reference solution of a case, as a trainee could write it.
     *
     * @param at seconds since the begin; negative: nothing happened
     * @param because types of events at that time, or names of statistics
     * @param not measurements that rule suspects out
     */
    public record Solution(String cause, double at, List<String> because, List<String> not, String remedy) {
        public Solution {
            because = List.copyOf(because);
            not = List.copyOf(not);
        }
    }

    /**
     * A hint.
     *
     * @param unseen view or measurement; the hint is for those who did not look at it. Empty: for all
     */
    public record Hint(String unseen, String text) {}

    /**
     * A rerun with one change, answered from a recorded case.
     *
     * @param name on the command line
     * @param cost in points
     * @param about what is changed
     */
    public record Experiment(String name, int cost, String about) {}

    /** Returns a section of the texts; empty if it has none. */
    public String section(String heading) {
        return text.getOrDefault(heading, "");
    }
}
