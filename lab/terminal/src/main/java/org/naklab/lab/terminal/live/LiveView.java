package org.naklab.lab.terminal.live;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.instruments.series.SampleConsumer;
import org.naklab.lab.records.Stall;
import org.naklab.lab.report.live.LiveFeed;
import org.naklab.lab.report.live.LiveServer;
import org.naklab.lab.terminal.ListenOptions;

/** Shows runs or watched processes in browsers for the option {@code --serve}; does nothing without the option. */
public final class LiveView implements AutoCloseable {
    /** Shows nothing. */
    public static final LiveView NONE = new LiveView(null, "", null, null);

    private final @Nullable LiveServer server;
    private final String host;
    private final @Nullable Screen screen;
    private volatile @Nullable LiveFeed feed;

    /** Decides how runs are shown. */
    @FunctionalInterface
    public interface Screen {
        /**
         * Begins to show a run.
         *
         * @param name of the run, which has the name of its scenario
         * @param directory of the run
         */
        LiveFeed begin(String name, Path directory);
    }

    private LiveView(@Nullable LiveServer server, String host, @Nullable LiveFeed feed, @Nullable Screen screen) {
        this.screen = screen;
        this.server = server;
        this.host = host;
        this.feed = feed;
    }

    /**
     * Serves the page of a feed.
     *
     * @param port 0: any free one
     * @param errors receives what goes wrong while it is served
     */
    public static LiveView launch(String host, int port, LiveFeed feed, Consumer<Throwable> errors) {
        try {
            LiveServer server = LiveServer.launch(host, port, feed, errors);
            return new LiveView(server, ListenOptions.reachable(host), feed, (name, directory) -> {
                LiveFeed next = LiveFeed.ofRun(name);
                server.show(next);
                return next;
            });
        } catch (LabException e) {
            String why =
                    String.valueOf(Objects.requireNonNullElse(e.getCause(), e).getMessage());
            if (e instanceof UsageException) {
                throw new UsageException("--serve: " + why);
            }
            throw new UnavailableException(
                    "--serve: cannot listen on port " + port + " of " + host + ": " + why
                            + "; --serve=PORT names another port",
                    e);
        }
    }

    /** Returns where the page is; empty: it is not served. */
    public Optional<String> url() {
        return Optional.ofNullable(server).map(each -> each.url(host));
    }

    /** Returns where the page is if everybody on this machine may know it; empty: it has a token, or is not served. */
    public Optional<String> openUrl() {
        return Optional.ofNullable(server).filter(LiveServer::isOpen).map(each -> each.url(host));
    }

    /** Opens what takes the samples and events of some instruments; it is closed with them. None if nothing is shown. */
    public List<SampleConsumer> open() {
        LiveFeed shown = feed;
        return shown == null ? List.of() : List.of(new FeedConsumer(shown.open(new LiveExaminer())));
    }

    /** Shows runs on pages of another server. */
    public static LiveView on(Screen screen) {
        return new LiveView(null, "", null, screen);
    }

    /** Shows a run from now on. */
    public void beginRun(String name, Path directory) {
        if (screen != null) {
            feed = screen.begin(name, directory);
        }
    }

    /**
     * Ends what is shown of a run; its verdict is told to those who ask for it.
     *
     * @param directory with the record of the run
     * @param sentence how it ended
     */
    public void endRun(Path directory, String sentence) {
        LiveFeed shown = feed;
        if (shown != null) {
            shown.end(directory, sentence);
        }
    }

    /** Tells the cause and the account of a stall. */
    public void onStall(Stall stall) {
        LiveFeed shown = feed;
        if (shown != null) {
            shown.account(stall);
        }
    }

    /** Returns when it has been closed; at once if nothing is served. */
    public void awaitClosed() throws InterruptedException {
        if (server != null) {
            server.awaitClosed();
        }
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
    }
}
