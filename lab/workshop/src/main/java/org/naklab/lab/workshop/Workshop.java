package org.naklab.lab.workshop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.workshop.live.LiveCases;
import org.naklab.lab.workshop.live.LiveDirectory;
import org.naklab.lab.workshop.seal.Seal;
import org.naklab.lab.workshop.seal.SealScan;

/**
 * The workshop of one trainee on one machine. Its directory has the key of the workshop, and one directory for each unit that was started. The case of a unit
 * is drawn from the key, the trainee and the unit, so that neighbours have different ones.
 */
public final class Workshop {
    /** What one measurement costs. */
    public static final int MEASUREMENT_COST = 3;

    /** Name of the file with its key. */
    public static final String KEY = "workshop.key";

    /** What the diagnosis says of a suspect about which it has no data. */
    private static final String NOT_LOOKED_AT = "not looked at";

    private static final String CURRENT = "current.json";
    private static final String CASE = "case";
    private static final int MAX_SEED = 1_000_000;
    /** Of a live run: a slower feed would fill no queue within a stall. */
    private static final int LEAST_RATE_PERCENT = 60;
    /** Names are directories: none leads out of the workshop's. */
    private static final Pattern TRAINEE = Pattern.compile("[A-Za-z0-9][\\w.@-]{0,63}");

    private final Path directory;
    private final Path corpus;
    private final String trainee;
    private final List<Unit> units;
    private final Seal seal;

    private record Current(String unit) {}

    private Workshop(Path directory, Path corpus, String trainee, List<Unit> units, Seal seal) {
        this.directory = directory;
        this.corpus = corpus;
        this.trainee = trainee;
        this.units = units;
        this.seal = seal;
    }

    /**
     * Opens a workshop, and makes its directory if it is not there.
     *
     * @param corpus directory of the recorded cases
     * @param unitsDirectory with the folders of the units
     * @throws InputException the units cannot be read, or the directory cannot be used
     */
    public static Workshop open(Path directory, Path corpus, Path unitsDirectory, String trainee) {
        return open(directory, corpus, UnitReader.read(unitsDirectory), trainee);
    }

    /**
     * Opens a workshop with units that were read already.
     *
     * @throws UsageException the name is none of a trainee
     * @throws InputException the directory cannot be used
     */
    public static Workshop open(Path directory, Path corpus, List<Unit> units, String trainee) {
        requireName(trainee);
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new InputException("the directory " + directory + " cannot be made: " + e.getMessage(), e);
        }
        return new Workshop(directory, corpus, trainee, List.copyOf(units), Seal.ofFile(directory.resolve(KEY)));
    }

    /** Returns the name of who takes part. */
    public String trainee() {
        return trainee;
    }

    /** Returns all units, in the order of the course. */
    public List<Unit> units() {
        return units;
    }

    /**
     * Finds a unit by its name, or by the number with which its name begins.
     *
     * @throws UsageException there is none
     */
    public Unit unit(String name) {
        return units.stream()
                .filter(unit -> unit.name().equals(name)
                        || unit.name().startsWith((name.length() == 1 ? "0" : "") + name + "-"))
                .findFirst()
                .orElseThrow(() -> new UsageException("there is no unit '" + name + "': choose "
                        + units.stream().map(Unit::name).collect(Collectors.joining(", "))));
    }

    /**
     * Starts a unit.
     *
     * @param again begin anew, with another draw, if it was started before
     */
    public Session start(String name, boolean again) {
        Unit unit = unit(name);
        int attempt = attempt(unit, again);
        Unit.CaseChoice choice = draw(unit.settings().cases(), unit, attempt);
        return start(unit, caseOf(choice.name()), choice, attempt);
    }

    /**
     * Starts a unit with a case that is made now, like one of its recorded cases.
     *
     * @param again begin anew, with another draw, if it was started before
     * @throws UnavailableException this machine can make none of them, or the run came to nothing; an earlier session is as it was
     */
    public Session startLive(String name, boolean again, LiveCases live) throws InterruptedException {
        Unit unit = unit(name);
        int attempt = attempt(unit, again);
        List<Unit.CaseChoice> choices = unit.settings().cases().stream()
                .filter(choice -> live.canMake(caseOf(choice.name())))
                .toList();
        if (choices.isEmpty()) {
            throw new UnavailableException("this machine can run no case of the unit " + unit.name()
                    + ": leave out --live for a recorded case");
        }
        Unit.CaseChoice choice = draw(choices, unit, attempt);
        LiveCases.Draw draw = liveDraw(unit, attempt);
        try (LiveDirectory run = LiveDirectory.make(unitDirectory(unit))) {
            Path like = caseOf(choice.name());
            Path made = live.make(like, draw, run.forRun());
            SealedCase.write(made, like, run.forCopy(), seal, words(unit));
            if (!SealScan.of(corpus).findings(run.forCopy()).isEmpty()) {
                throw new UnavailableException("what the run left would have given its cause away, and is deleted: "
                        + "leave out --live for a recorded case");
            }
            return start(unit, made, choice, attempt);
        }
    }

    private LiveCases.Draw liveDraw(Unit unit, int attempt) {
        String number = String.valueOf(attempt);
        return new LiveCases.Draw(
                seal.draw(MAX_SEED, "seed", trainee, unit.name(), number),
                LEAST_RATE_PERCENT + seal.draw(101 - LEAST_RATE_PERCENT, "rate", trainee, unit.name(), number));
    }

    private int attempt(Unit unit, boolean again) {
        Optional<Session> earlier = session(unit);
        if (earlier.isPresent() && !again) {
            throw new UsageException("the unit " + unit.name() + " was started already: 'naklab workshop status' shows "
                    + "where you are, and 'start " + unit.name() + " --again' begins anew with another case");
        }
        return earlier.map(session -> session.attempt() + 1).orElse(0);
    }

    private Unit.CaseChoice draw(List<Unit.CaseChoice> choices, Unit unit, int attempt) {
        return choices.get((seal.draw(choices.size(), "draw", trainee, unit.name()) + attempt) % choices.size());
    }

    private Session start(Unit unit, Path source, Unit.CaseChoice choice, int attempt) {
        String hash = SealedCase.write(source, caseOf(choice.name()), caseDirectory(unit), seal, words(unit));
        Session session = Session.begun(unit.name(), trainee, attempt, hash);
        keep(unit, session);
        Json.write(directory.resolve(trainee).resolve(CURRENT), new Current(unit.name()));
        return session;
    }

    /**
     * Returns the session that goes on.
     *
     * @throws UsageException no unit was started
     */
    public Session current() {
        Path file = directory.resolve(trainee).resolve(CURRENT);
        if (!Files.exists(file)) {
            throw new UsageException("no unit was started: 'naklab workshop' lists them, and 'naklab workshop start 1' "
                    + "starts the first");
        }
        return started(unit(Json.read(file, Current.class).unit()));
    }

    /** Returns what was done in a unit; empty if it was not started. */
    public Optional<Session> session(Unit unit) {
        Path file = unitDirectory(unit).resolve(Session.NAME);
        try {
            return Files.exists(file) ? Optional.of(Json.read(file, Session.class)) : Optional.empty();
        } catch (UncheckedIOException e) {
            throw new InputException("the record of the unit in " + file + " is damaged: start it again", e);
        }
    }

    /** Returns the directory of the trainee's case of a unit. */
    public Path caseDirectory(Unit unit) {
        return unitDirectory(unit).resolve(CASE);
    }

    /**
     * Shows evidence of the current unit.
     *
     * @throws UsageException it costs more than what is left
     */
    public List<String> evidence(View view, EvidenceFilter filter) {
        return new EvidenceText(look(view, filter)).of(view);
    }

    /** Looks at evidence of the current unit, as {@link #evidence} does. */
    public Evidence look(View view, EvidenceFilter filter) {
        Session session = current();
        Unit unit = unit(session.unit());
        if (!session.looked().contains(view.label())) {
            require(unit, session, view.cost());
            keep(unit, session.looking(view.label(), view.cost()));
        }
        return new Evidence(SealedCase.read(caseDirectory(unit)), filter);
    }

    /**
     * Answers a measurement or an experiment of the current unit.
     *
     * @throws UsageException there is none of that name, or it costs more than what is left
     */
    public String ask(String what) {
        Session session = current();
        Unit unit = unit(session.unit());
        Optional<Measurement> measurement = Measurement.of(what);
        Optional<Unit.Experiment> experiment = unit.settings().experiments().stream()
                .filter(each -> each.name().equals(what))
                .findFirst();
        if (measurement.isEmpty() && experiment.isEmpty()) {
            throw new UsageException("'" + what + "' is neither a measurement nor an experiment of this unit: "
                    + "'naklab workshop ask' lists them");
        }
        String figure = measurement.map(each -> figure(unit, what)).orElse("");
        int cost = figure.equals(NOT_LOOKED_AT)
                ? 0
                : experiment.map(Unit.Experiment::cost).orElse(MEASUREMENT_COST);
        if (!session.asked().contains(what)) {
            require(unit, session, cost);
            keep(unit, session.asking(what, cost));
        }
        if (figure.equals(NOT_LOOKED_AT)) {
            return "nobody looked at it in this case, and it costs nothing";
        }
        return experiment
                .map(each -> Outcome.of(caseOf(drawn(unit).rerun(each.name()))))
                .orElse(figure);
    }

    private String figure(Unit unit, String measurement) {
        return key(unit).suspects().measurements().getOrDefault(measurement, NOT_LOOKED_AT);
    }

    /** Returns the next hint that was not given yet, for what was not looked at; empty if there is none left. */
    public Optional<String> hint() {
        Session session = current();
        Unit unit = unit(session.unit());
        Optional<String> next = unit.settings().hints().stream()
                .filter(hint -> hint.unseen().isEmpty()
                        || !(session.looked().contains(hint.unseen())
                                || session.asked().contains(hint.unseen())))
                .map(Unit.Hint::text)
                .filter(text -> !session.hints().contains(text))
                .findFirst();
        next.ifPresent(text -> keep(unit, session.hinted(text)));
        return next;
    }

    /**
     * Grades the answer of the current unit. The first answer counts.
     *
     * @throws UsageException it was answered before, or cites what is not there
     */
    public Grade answer(Answer answer) {
        Session session = current();
        Unit unit = unit(session.unit());
        if (session.answer() != null) {
            throw new UsageException("the unit " + unit.name() + " was answered already: 'naklab workshop debrief' "
                    + "shows the solution, and 'start " + unit.name() + " --again' draws another case");
        }
        requireThere(unit, session, answer);
        Grade grade = new Grader(key(unit))
                .grade(answer, session.askedFor(), session.hints().size());
        keep(unit, session.answered(answer, grade));
        return grade;
    }

    /** Only the first answer counts: a slip of the pen is refused instead of graded. It tells nothing that was not bought. */
    private void requireThere(Unit unit, Session session, Answer answer) {
        if (!unit.settings().suspects().contains(answer.cause())
                && !answer.cause().equals(Cause.UNEXPLAINED.label())) {
            throw new UsageException("'" + answer.cause() + "' is no answer of this unit: choose "
                    + String.join(", ", unit.settings().suspects()) + ", or cannot-tell");
        }
        SealedCase.Content content = SealedCase.read(caseDirectory(unit));
        for (String fact : answer.because()) {
            boolean isThere =
                    content.events().stream().anyMatch(event -> event.id().equals(fact))
                            || content.facts().receivers().stream()
                                    .anyMatch(receiver -> receiver.counters().containsKey(fact));
            if (!isThere) {
                throw new UsageException("'" + fact + "' is neither an event nor a statistic of this case: cite e17 or "
                        + "dropped, as 'evidence' shows them");
            }
        }
        for (String measurement : answer.not().keySet()) {
            if (Measurement.of(measurement).isEmpty()) {
                throw new UsageException("'" + measurement + "' is no measurement: choose "
                        + Arrays.stream(Measurement.values())
                                .map(Measurement::label)
                                .collect(Collectors.joining(", ")));
            }
            if (!session.asked().contains(measurement)) {
                throw new UsageException("you did not ask for " + measurement + ": 'naklab workshop ask " + measurement
                        + "' gives its figure, or leave it out of --not");
            }
        }
        answer.not().forEach((measurement, quoted) -> {
            String figure = figure(unit, measurement);
            if (!Grader.quotes(figure, quoted)) {
                throw new UsageException("'" + quoted + "' does not stand in the figure of " + measurement
                        + ", which is '" + figure + "': cite a number of it, as in --not run-queue=0.3");
            }
        });
    }

    /** Returns the reference solution of the current case. Only who plays the units for a test may know it. */
    public Unit.Solution solution() {
        return drawn(unit(current().unit())).solution();
    }

    private Unit.CaseChoice drawn(Unit unit) {
        String name = key(unit).caseName();
        return unit.settings().cases().stream()
                .filter(choice -> choice.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new InputException(
                        "the unit " + unit.name() + " no longer has your case: 'start " + unit.name() + " --again'"));
    }

    /**
     * Finds the event of the current case that a solution means.
     *
     * @param fact type of an event, or the name of a statistic, which is returned as it is
     * @param at seconds since the begin
     */
    public String cite(String fact, double at) {
        long atNs = Math.round(at * Units.NS_PER_S);
        SealedCase.Content content =
                SealedCase.read(caseDirectory(unit(current().unit())));
        return content.events().stream()
                .filter(event -> event.type().name().equals(fact))
                .min(Comparator.comparing((CaseEvent event) -> event.span().contains(atNs) ? 0 : 1)
                        .thenComparing(
                                event -> event.process().equals(content.facts().suspect()) ? 0 : 1)
                        .thenComparing(event ->
                                event.span().contains(atNs) ? -event.span().lengthNs() : 0)
                        .thenComparing(event -> Math.abs(event.span().beginNs() - atNs)))
                .map(CaseEvent::id)
                .orElse(fact);
    }

    /** Grades an answer to the current unit without keeping it: for guessers and for tests of units. */
    public Grade tryAnswer(Answer answer) {
        Session session = current();
        return new Grader(key(unit(session.unit())))
                .grade(answer, session.askedFor(), session.hints().size());
    }

    /**
     * Returns the solution beside the trainee's way.
     *
     * @throws UsageException it was not answered yet
     */
    public List<String> debrief() {
        Session session = current();
        Unit unit = unit(session.unit());
        if (session.answer() == null) {
            throw new UsageException("the unit " + unit.name() + " was not answered yet: the solution comes after the "
                    + "answer; 'naklab workshop answer --cause cannot-tell' is one");
        }
        List<String> lines = new ArrayList<>(truth(unit));
        for (String section : List.of(Unit.DEBRIEF, Unit.READING)) {
            lines.add("");
            lines.addAll(unit.section(section).lines().toList());
        }
        return lines;
    }

    /**
     * Returns the solution of a unit beside the trainee's way, without the texts of the unit. Before the answer only the trainer may know it.
     *
     * @throws UsageException the unit was not started
     */
    public List<String> truth(Unit unit) {
        return Debrief.lines(unit, started(unit), key(unit), this::caseOf);
    }

    /**
     * Returns the right cause of a unit. Before the answer only the trainer may know it.
     *
     * @throws UsageException the unit was not started
     */
    public String cause(Unit unit) {
        started(unit);
        return key(unit).causes().get(0).label();
    }

    /**
     * Shows the evidence of a unit without a price, and notes nothing: for the trainer.
     *
     * @throws UsageException the unit was not started
     */
    public Evidence show(Unit unit, EvidenceFilter filter) {
        started(unit);
        return new Evidence(SealedCase.read(caseDirectory(unit)), filter);
    }

    private Session started(Unit unit) {
        return session(unit)
                .orElseThrow(() -> new UsageException("the unit " + unit.name() + " was not started by " + trainee));
    }

    /**
     * Goes on with a unit that was started.
     *
     * @throws UsageException there is no such unit, or it was not started
     */
    public Session resume(String name) {
        Unit unit = unit(name);
        Session session = started(unit);
        Path file = directory.resolve(trainee).resolve(CURRENT);
        if (!Files.exists(file) || !Json.read(file, Current.class).unit().equals(unit.name())) {
            Json.write(file, new Current(unit.name()));
        }
        return session;
    }

    /**
     * Returns who took part in a workshop, in the order of their names.
     *
     * @throws InputException the directory cannot be read
     */
    public static List<String> trainees(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(Files::isDirectory)
                    .map(entry -> String.valueOf(entry.getFileName()))
                    .filter(Workshop::isName)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new InputException("the directory " + directory + " cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * Requires that somebody can take part under a name.
     *
     * @throws UsageException nobody can
     */
    public static void requireName(String trainee) {
        if (!isName(trainee)) {
            throw new UsageException("'" + trainee
                    + "' is no name of a trainee: begin with a letter or digit, and use letters, digits, and . @ _ -");
        }
    }

    private static boolean isName(String trainee) {
        return TRAINEE.matcher(trainee).matches() && !trainee.equals(KEY);
    }

    /** Returns what is left to spend in the current unit. */
    public int left(Session session) {
        return unit(session.unit()).settings().budget() - session.spent();
    }

    /** Returns points with at most one digit after the point. */
    public static String points(double points) {
        return points == Math.rint(points) ? String.valueOf((long) points) : String.format(Locale.ROOT, "%.1f", points);
    }

    private void require(Unit unit, Session session, int cost) {
        int left = unit.settings().budget() - session.spent();
        if (cost > left) {
            throw new UsageException("that costs " + cost + " points, and " + left + " of "
                    + unit.settings().budget() + " are left: answer with what you have");
        }
    }

    private AnswerKey key(Unit unit) {
        return SealedCase.open(caseDirectory(unit), seal, words(unit));
    }

    private String[] words(Unit unit) {
        return new String[] {"seal", trainee, unit.name()};
    }

    private Path caseOf(String name) {
        Path path = corpus.resolve(name);
        if (!Files.isDirectory(path)) {
            throw new InputException("there is no case " + name + " in " + corpus);
        }
        return path;
    }

    private Path unitDirectory(Unit unit) {
        return directory.resolve(trainee).resolve(unit.name());
    }

    private void keep(Unit unit, Session session) {
        Json.write(unitDirectory(unit).resolve(Session.NAME), session);
    }

    /** Returns the measurements and experiments of the current unit with their costs, by name. */
    public Map<String, String> offers() {
        Map<String, String> offers = new TreeMap<>();
        for (Measurement measurement : Measurement.values()) {
            offers.put(measurement.label(), MEASUREMENT_COST + " points: " + measurement.about());
        }
        unit(current().unit())
                .settings()
                .experiments()
                .forEach(experiment ->
                        offers.put(experiment.name(), experiment.cost() + " points: " + experiment.about()));
        return offers;
    }
}
