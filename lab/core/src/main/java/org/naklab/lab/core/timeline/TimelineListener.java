package org.naklab.lab.core.timeline;

/** Called as things happen, on the sampler's thread or the background's; an implementation hands over and returns. */
@FunctionalInterface
public interface TimelineListener {
    void onEvent(TimelineEvent event);
}
