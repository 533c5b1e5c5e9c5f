package org.naklab.lab.instruments.sampling;

/** An instrument that wants to be sampled at once when a word of memory says so. */
public interface WatchpointSource {
    /** Adds its words. The sampler's thread, whenever instruments were added or removed. */
    void addTo(Watchpoints words);
}
