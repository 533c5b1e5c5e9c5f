package org.naklab.lab.detect;

/** An instrument that wants to be sampled at once when a word of memory says so. */
interface WordHolder {
    /** Adds its words. The sampler's thread, whenever instruments were added or removed. */
    void addTo(Words words);
}
