package org.naklab.lab.report.live;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.account.StallAccount;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.records.Stall;

/**
 * Tells what goes on now, for viewers: the samples of the last minutes, the events, and the stalls. Those who write never wait for those who look. Safe for several
 * threads.
 */
public final class LiveFeed implements Playable {
    /** Samples are handed over ten times a second; so much later the picture moves evenly. */
    static final long LAG_NS = TimeUnit.MILLISECONDS.toNanos(150);
    /** A line that changes at 1 kHz keeps so much, and others keep more. */
    static final long KEPT_NS = TimeUnit.SECONDS.toNanos(120);

    /** The books of so many moments: those of customers come ten times a second, and the snapshots of the service at two or three moments of each. */
    private static final int KEPT_BOOKS = 1_600;

    private static final int MAX_LINES = 60;
    private static final int MAX_SCENES = 1_000;
    /** Of more changes than these, the earliest time is not known. */
    private static final int KEPT_CHANGES = 64;

    /** The place of a line on the page. */
    record Place(StripKind strip, String name) {}

    private final String title;
    private final Kind kind;
    private final LongSupplier clock;
    private final long beginNs;
    private final @Nullable Long epochOffsetNs;
    private final List<LiveSource> sources = new CopyOnWriteArrayList<>();
    private final Map<StripKind, Map<String, StripLine>> lines = new EnumMap<>(StripKind.class);
    private final Deque<Film.Scene> scenes = new ArrayDeque<>();
    private final LiveStalls stalls = new LiveStalls();
    private final BookMoments books = new BookMoments(KEPT_BOOKS, KEPT_NS);
    private final long[] changedNs = new long[KEPT_CHANGES];
    private volatile List<Strip> strips = List.of();
    /** Lines of sources that are closed: they make room for others when there is no more. */
    private final Deque<Place> left = new ArrayDeque<>();

    private int lineCount;
    private long firstScene;
    private long changes;
    private volatile long shownNs;
    private volatile @Nullable String ending;
    private volatile Map<String, Object> verdict = Map.of();
    private volatile boolean isReplaced;
    private volatile Secrecy secrecy;
    private volatile SoFar soFar = new SoFar(null, Map.of());

    /** Tells what viewers are told of the latest examination. */
    private record SoFar(OpenStalls.@Nullable Examined of, Map<String, Object> told) {}

    private LiveFeed(String title, Kind kind, Secrecy secrecy, LongSupplier clock, @Nullable Long epochOffsetNs) {
        this.secrecy = secrecy;
        this.title = title;
        this.kind = kind;
        this.clock = clock;
        this.epochOffsetNs = epochOffsetNs;
        beginNs = clock.getAsLong();
        shownNs = beginNs;
    }

    /** Begins to show processes that are watched. */
    public static LiveFeed ofWatch(String title) {
        return of(title, Kind.WATCH, Secrecy.EACH);
    }

    /** Begins to show a run, whose cause is a secret until somebody asks for it. */
    public static LiveFeed ofRun(String title) {
        return of(title, Kind.RUN, Secrecy.EACH);
    }

    /**
     * Begins to show a run of an instructor.
     *
     * @param title tells nothing of the cause if it is a secret
     * @param isSecret whether the cause stays a secret until the instructor reveals it
     */
    public static LiveFeed ofInstructor(String title, boolean isSecret) {
        return of(title, Kind.RUN, isSecret ? Secrecy.SEALED : Secrecy.TOLD);
    }

    /** Shows that no run goes on. */
    public static LiveFeed ofNothing() {
        return of("No run", Kind.IDLE, Secrecy.EACH);
    }

    private static LiveFeed of(String title, Kind kind, Secrecy secrecy) {
        long epochNs = System.currentTimeMillis() * Units.MS_NS;
        return new LiveFeed(title, kind, secrecy, System::nanoTime, epochNs - System.nanoTime());
    }

    /** Begins to show what a test does. */
    static LiveFeed of(String title, Kind kind, LongSupplier clock) {
        return new LiveFeed(title, kind, Secrecy.EACH, clock, null);
    }

    /** Adds a source of samples and events; whoever opens it closes it. */
    public LiveSource open() {
        return open((stall, events) -> StallAccount.NONE);
    }

    /**
     * Adds a source of samples and events; whoever opens it closes it.
     *
     * @param examiner tells what is known of a stall before its record is complete
     */
    public LiveSource open(StallExaminer examiner) {
        LiveSource source = new LiveSource(this, clock.getAsLong(), new OpenStalls(examiner));
        sources.add(source);
        return source;
    }

    synchronized void close(LiveSource source) {
        sources.remove(source);
        source.places().stream()
                .filter(place ->
                        sources.stream().noneMatch(each -> each.places().contains(place)))
                .forEach(left::add);
    }

    /**
     * Tells the account and the cause of a stall of a process that is watched.
     *
     * @param stall as it was diagnosed
     */
    public void account(Stall stall) {
        stalls.account(
                stall.process(),
                stall.who(),
                stall.atNs(),
                stall.account().entries().stream().map(FilmReader::part).toList());
        tell(new Film.Scene(
                stall.atNs(),
                stall.endNs(),
                "CAUSE",
                stall.process(),
                stall.who() + ": the cause is " + stall.cause(),
                Map.of("cause", stall.cause(), "durationMs", stall.durationMs())));
    }

    /** Ends what is shown; viewers are told how, in one sentence, and can go on to look at it. */
    public synchronized void end(String sentence) {
        shownNs = Math.max(shownNs, clock.getAsLong());
        ending = sentence;
    }

    /**
     * Ends a run; its verdict is told to those who ask for it.
     *
     * @param directory in which the run has its record
     * @param sentence how it ended
     */
    public void end(Path directory, String sentence) {
        try {
            FilmReader.Files files = name -> stream(directory.resolve(name));
            FilmReader.stalls(title, files, beginNs)
                    .forEach(stall -> stalls.account(stall.process(), stall.thread(), stall.beginNs(), stall.parts()));
            verdict = FilmReader.verdict(title, files, beginNs);
            end(sentence);
        } catch (InputException | IOException e) {
            end(sentence + " Its record cannot be read: " + e.getMessage());
        }
    }

    private static java.io.@Nullable InputStream stream(Path file) throws IOException {
        return Files.isRegularFile(file) ? Files.newInputStream(file) : null;
    }

    /** Tells the verdict to all viewers as soon as there is one. */
    public void reveal() {
        secrecy = Secrecy.TOLD;
    }

    @Override
    public Secrecy secrecy() {
        return secrecy;
    }

    /** Ends the connections of all viewers: something else is shown in its place, and their browsers come back to it. */
    public void replace() {
        isReplaced = true;
    }

    /** Returns the line at a place, which is added if it is new; {@code null}: there are too many. */
    synchronized @Nullable StripLine line(Place place, String role, StripLine.Kind lineKind, String stage) {
        left.remove(place);
        StripLine line = lines.getOrDefault(place.strip(), Map.of()).get(place.name());
        if (line == null) {
            if (lineCount == MAX_LINES) {
                makeRoom();
            }
            if (lineCount < MAX_LINES) {
                line = StripLine.growing(place.name(), role, lineKind, stage);
                lines.computeIfAbsent(place.strip(), key -> new TreeMap<>()).put(place.name(), line);
                lineCount++;
                strips = lines.entrySet().stream()
                        .filter(each -> !each.getValue().isEmpty())
                        .map(each ->
                                each.getKey().of(List.copyOf(each.getValue().values())))
                        .toList();
            }
        }
        return line;
    }

    private void makeRoom() {
        Place oldest = left.poll();
        if (oldest != null && lines.getOrDefault(oldest.strip(), Map.of()).remove(oldest.name()) != null) {
            lineCount--;
        }
    }

    /** Takes an event that viewers are told; the others are evidence only. */
    void tell(TimelineEvent event) {
        if (FilmReader.SHOWN.contains(event.type()) || event.type() == TimelineEventType.INSTRUMENT_BLIND) {
            tell(FilmReader.scene(event));
        }
    }

    private synchronized void tell(Film.Scene scene) {
        long toldNs = Math.min(scene.toldNs(), clock.getAsLong());
        long afterNs = scenes.isEmpty() ? toldNs : Math.max(scenes.getLast().toldNs(), toldNs);
        scenes.addLast(
                new Film.Scene(scene.beginNs(), afterNs, scene.type(), scene.process(), scene.text(), scene.figures()));
        if (scenes.size() > MAX_SCENES) {
            scenes.removeFirst();
            firstScene++;
        }
    }

    LiveStalls noted() {
        return stalls;
    }

    /** Notes that lines have changed from a time on; of no matter if no viewer has seen that time yet. */
    synchronized void change(long fromNs) {
        if (fromNs < shownNs) {
            changedNs[(int) (changes % KEPT_CHANGES)] = fromNs;
            changes++;
        }
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public Kind kind() {
        return kind;
    }

    @Override
    public long beginNs() {
        return beginNs;
    }

    @Override
    public long earliestNs() {
        return Math.max(beginNs, shownNs - KEPT_NS);
    }

    @Override
    public synchronized long endNs() {
        if (ending == null) {
            long knownNs = clock.getAsLong() - LAG_NS;
            for (LiveSource source : sources) {
                knownNs = Math.min(knownNs, source.knownNs());
            }
            shownNs = Math.max(shownNs, knownNs);
        }
        return shownNs;
    }

    @Override
    public @Nullable Long epochOffsetNs() {
        return epochOffsetNs;
    }

    @Override
    public List<Strip> strips() {
        return strips;
    }

    @Override
    public synchronized Told told(long from, long nowNs) {
        List<Film.Scene> due = new ArrayList<>();
        long number = firstScene;
        for (Film.Scene scene : scenes) {
            if (number >= from) {
                if (scene.toldNs() > nowNs) {
                    break;
                }
                due.add(scene);
            }
            number++;
        }
        return new Told(Math.max(from, number), due);
    }

    @Override
    public List<Film.Stalled> stalls() {
        return stalls.all();
    }

    @Override
    public List<Film.Stalled> openStalls() {
        return stalls.open();
    }

    @Override
    public Map<String, Object> soFar() {
        OpenStalls.Examined latest = sources.stream()
                .map(source -> source.examined(clock.getAsLong()))
                .flatMap(Stream::ofNullable)
                .max(Comparator.comparingLong(each -> each.stall().endNs()))
                .orElse(null);
        SoFar before = soFar;
        if (latest == null || latest.equals(before.of())) {
            return before.told();
        }
        Map<String, Object> told = FilmReader.verdict(latest.diagnosis(), beginNs);
        soFar = new SoFar(latest, told.equals(before.told()) ? before.told() : told);
        return soFar.told();
    }

    @Override
    public BookMoments books() {
        return books;
    }

    @Override
    public Map<String, Object> verdict() {
        return verdict;
    }

    @Override
    public @Nullable String ending() {
        return ending;
    }

    @Override
    public boolean isReplaced() {
        return isReplaced;
    }

    @Override
    public synchronized long changes() {
        return changes;
    }

    @Override
    public synchronized long changedNs(long seen) {
        if (changes - seen > KEPT_CHANGES) {
            return beginNs;
        }
        long earliestNs = Long.MAX_VALUE;
        for (long i = seen; i < changes; i++) {
            earliestNs = Math.min(earliestNs, changedNs[(int) (i % KEPT_CHANGES)]);
        }
        return earliestNs;
    }
}
