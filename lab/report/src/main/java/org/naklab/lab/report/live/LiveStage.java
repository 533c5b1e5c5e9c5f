package org.naklab.lab.report.live;

import io.netty.channel.ChannelHandler;
import org.naklab.lab.report.web.Response;

/** Tells what all viewers of one address see: one run after the other, and nothing between them. Safe for several threads. */
public final class LiveStage {
    private volatile LiveFeed feed;

    /** @param feed is shown first */
    public LiveStage(LiveFeed feed) {
        this.feed = feed;
    }

    /** Shows something else from now on: the browsers of viewers come back to it. */
    public synchronized void show(LiveFeed next) {
        LiveFeed before = feed;
        feed = next;
        before.replace();
    }

    /** Tells the verdict of what is shown to all viewers. */
    public void reveal() {
        feed.reveal();
    }

    LiveFeed shown() {
        return feed;
    }

    /** Returns the page of an instructor's runs. */
    public Response page(FilmPage.Role role) {
        return FilmPage.ofInstructor(role);
    }

    /**
     * Shows it to one viewer.
     *
     * @param news what the viewer is told beside
     */
    public ChannelHandler socket(News news) {
        return new FilmSocket(feed, news);
    }
}
