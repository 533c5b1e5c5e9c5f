package org.naklab.lab.report.live;

import java.util.List;
import java.util.function.Function;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.report.Samples;

/**
 * Evidence that can be played as a film. Such a film has no verdict to reveal, and its stalls have no account.
 *
 * @param title for people
 * @param events by time
 * @param shown the time of the film, on the clock of the samples and the events
 * @param names of the events for people
 */
public record FilmEvidence(
        String title,
        Samples samples,
        List<TimelineEvent> events,
        Interval shown,
        Function<TimelineEventType, String> names) {
    public FilmEvidence {
        events = List.copyOf(events);
    }
}
