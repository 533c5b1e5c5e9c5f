package org.naklab.lab.report.export;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/**
 * Writes where threads were off the CPU during their stalls as a profile that {@code pprof} reads: one sample for each absence, with its length
 * within the stall. The stack of the thread that ended the wait hangs, upside down, from the innermost function of the one that waited:
 *
 * <pre>
 *  root  main, on_datagram, pthread_mutex_lock, futex_wait, "woken by reporter", nanosleep, report  leaf
 * </pre>
 *
 * The numbers of the fields are those of {@code profile.proto} of pprof.
 */
public final class PprofProfile {
    private static final int PROFILE_SAMPLE_TYPE = 1;
    private static final int PROFILE_SAMPLE = 2;
    private static final int PROFILE_LOCATION = 4;
    private static final int PROFILE_FUNCTION = 5;
    private static final int PROFILE_STRING_TABLE = 6;
    private static final int PROFILE_DURATION_NANOS = 10;
    private static final int PROFILE_DEFAULT_SAMPLE_TYPE = 14;
    private static final int VALUE_TYPE_TYPE = 1;
    private static final int VALUE_TYPE_UNIT = 2;
    private static final int SAMPLE_LOCATION_ID = 1;
    private static final int SAMPLE_VALUE = 2;
    private static final int SAMPLE_LABEL = 3;
    private static final int LABEL_KEY = 1;
    private static final int LABEL_STR = 2;
    private static final int LOCATION_ID = 1;
    private static final int LOCATION_LINE = 4;
    private static final int LINE_FUNCTION_ID = 1;
    private static final int FUNCTION_ID = 1;
    private static final int FUNCTION_NAME = 2;

    private final RecordedTimeline timeline;
    private final ProtocolBuffer profile = new ProtocolBuffer();
    /** The first text is empty. */
    private final Map<String, Long> texts = new LinkedHashMap<>(Map.of("", 0L));

    private final Map<String, Long> functions = new LinkedHashMap<>();

    private PprofProfile(RecordedTimeline timeline) {
        this.timeline = timeline;
    }

    /** Returns the file, compressed. */
    public static byte[] of(RecordedTimeline timeline) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (GZIPOutputStream compressed = new GZIPOutputStream(file)) {
            compressed.write(new PprofProfile(timeline).write().toBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return file.toByteArray();
    }

    private ProtocolBuffer write() {
        profile.put(PROFILE_SAMPLE_TYPE, valueType("absences", "count"));
        profile.put(PROFILE_SAMPLE_TYPE, valueType("off-cpu", "nanoseconds"));
        List<TimelineEvent> stalls = timeline.of(TimelineEventType.STALL);
        long stalledNs = 0;
        for (TimelineEvent stall : stalls) {
            stalledNs += stall.interval().lengthNs();
            timeline.absences().stream()
                    .filter(absence -> absence.process().equals(stall.process())
                            && absence.thread().equals(stall.thread()))
                    .forEach(absence ->
                            absence.interval().intersection(stall.interval()).ifPresent(part -> add(absence, part)));
        }
        profile.put(PROFILE_DURATION_NANOS, stalledNs);
        profile.put(PROFILE_DEFAULT_SAMPLE_TYPE, text("off-cpu"));
        functions.forEach(this::addFunction);
        texts.keySet().forEach(each -> profile.put(PROFILE_STRING_TABLE, each));
        return profile;
    }

    private ProtocolBuffer valueType(String type, String unit) {
        return new ProtocolBuffer().put(VALUE_TYPE_TYPE, text(type)).put(VALUE_TYPE_UNIT, text(unit));
    }

    private void add(ThreadAbsence absence, Interval part) {
        List<String> leafFirst = new ArrayList<>(timeline.wakerStackOf(absence));
        Collections.reverse(leafFirst);
        if (!absence.waker().isEmpty()) {
            leafFirst.add("woken by " + absence.waker());
        } else if (absence.state().isWithoutCpu() && !absence.next().isEmpty()) {
            leafFirst.add(absence.next() + (absence.nextNs() == 0 ? " got the CPU first" : " ran longest"));
        }
        leafFirst.addAll(timeline.stackOf(absence));
        if (leafFirst.isEmpty()) {
            leafFirst.add("off CPU, " + absence.state().label());
        }
        profile.put(
                PROFILE_SAMPLE,
                new ProtocolBuffer()
                        .putPacked(
                                SAMPLE_LOCATION_ID,
                                leafFirst.stream().map(this::function).toList())
                        .putPacked(SAMPLE_VALUE, List.of(1L, part.lengthNs()))
                        .put(SAMPLE_LABEL, label("process", absence.process()))
                        .put(SAMPLE_LABEL, label("thread", absence.thread()))
                        .put(SAMPLE_LABEL, label("state", absence.state().label())));
    }

    private ProtocolBuffer label(String key, String value) {
        return new ProtocolBuffer().put(LABEL_KEY, text(key)).put(LABEL_STR, text(value));
    }

    /** A location has one function, and its id. */
    private void addFunction(String name, long id) {
        profile.put(PROFILE_FUNCTION, new ProtocolBuffer().put(FUNCTION_ID, id).put(FUNCTION_NAME, text(name)));
        profile.put(
                PROFILE_LOCATION,
                new ProtocolBuffer()
                        .put(LOCATION_ID, id)
                        .put(LOCATION_LINE, new ProtocolBuffer().put(LINE_FUNCTION_ID, id)));
    }

    private long function(String name) {
        return functions.computeIfAbsent(name, each -> functions.size() + 1L);
    }

    private long text(String each) {
        return texts.computeIfAbsent(each, key -> (long) texts.size());
    }
}
