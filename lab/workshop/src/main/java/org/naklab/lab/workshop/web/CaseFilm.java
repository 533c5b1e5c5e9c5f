package org.naklab.lab.workshop.web;

import io.netty.channel.ChannelHandler;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.report.SampleSeries;
import org.naklab.lab.report.Samples;
import org.naklab.lab.report.live.FilmEvidence;
import org.naklab.lab.report.live.Films;
import org.naklab.lab.workshop.SealedCase;
import org.naklab.lab.workshop.View;
import org.naklab.lab.workshop.seal.EventNames;

/** The film of a trainee's case: no more than what the trainee may look at, and no verdict. Its times are those of the evidence. */
final class CaseFilm {
    /** What counters of the sockets and of the transport show costs nothing. */
    private static final Set<SeriesSource> FREE =
            EnumSet.of(SeriesSource.SOCKET, SeriesSource.HEARTBEAT, SeriesSource.AERON);

    private static final Set<SeriesSource> OF_MEMORY =
            EnumSet.of(SeriesSource.MEMORY, SeriesSource.CGROUP, SeriesSource.THREAD);

    private CaseFilm() {}

    /**
     * Plays a case to one viewer.
     *
     * @param directory of the case
     * @param views that were opened; the free ones are always
     */
    static ChannelHandler socket(String title, Path directory, Collection<String> views) {
        List<View> open = List.of(View.values()).stream()
                .filter(view -> view.cost() == 0 || views.contains(view.label()))
                .toList();
        long lengthNs = SealedCase.read(directory).facts().lengthNs();
        return Films.socket(new FilmEvidence(
                title,
                samples(SealedCase.samples(directory), open.contains(View.MEMORY)),
                SealedCase.timeline(directory).stream()
                        .filter(event -> open.stream()
                                .anyMatch(view -> view.isOf(event.type().name())))
                        .toList(),
                new Interval(0, lengthNs),
                EventNames::of));
    }

    private static Samples samples(Samples all, boolean isMemoryOpen) {
        Map<SeriesName, SampleSeries> shown = all.bySeries().entrySet().stream()
                .filter(series -> FREE.contains(series.getKey().source())
                        || (isMemoryOpen && OF_MEMORY.contains(series.getKey().source())))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        return new Samples(shown);
    }
}
