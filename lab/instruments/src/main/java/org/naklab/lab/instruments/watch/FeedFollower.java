package org.naklab.lab.instruments.watch;

import java.util.Collection;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.kernel.datagrams.Feed;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.lab.instruments.sockets.SocketSummary;

/** Has the kernel record the arriving datagrams of the feed that the open sockets receive, as sockets open and close. */
final class FeedFollower implements Instrument {
    private final Supplier<? extends Collection<SocketSummary>> open;
    private final Consumer<Optional<Feed>> recorder;
    private Optional<Feed> followed;

    /**
     * Creates a follower.
     *
     * @param open returns the sockets that are open
     * @param followed the feed that is recorded now; empty: none
     * @param recorder records another feed, or none; throws {@link DetectException} if it cannot
     */
    FeedFollower(
            Supplier<? extends Collection<SocketSummary>> open,
            Optional<Feed> followed,
            Consumer<Optional<Feed>> recorder) {
        this.open = open;
        this.followed = followed;
        this.recorder = recorder;
    }

    @Override
    public String title() {
        return "what follows the feed";
    }

    @Override
    public String describe() {
        return "senders and silences of one port of the open sockets: that of a group, or else one that was chosen";
    }

    /** Does nothing: sockets are listed by a refresh. */
    @Override
    public void sample(long nowNs, SampleSink sink) {}

    /** @throws DetectException the recorder cannot record another feed */
    @Override
    public void refresh(long nowNs) {
        Optional<Feed> now = ReceivedFeed.of(open.get());
        if (!now.equals(followed)) {
            recorder.accept(now);
            followed = now;
        }
    }

    @Override
    public void close() {}
}
