package org.naklab.lab.campaign;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/** Makes a source of chance for a purpose, a cell and a seed: consecutive seeds give unlike sequences, on every machine the same. */
final class Mixing {
    private Mixing() {}

    static SplittableRandom random(String purpose, Cell cell, long seed) {
        CRC32C hash = new CRC32C();
        hash.update((purpose + '\n' + cell.scenario() + '\n' + cell.arm()).getBytes(StandardCharsets.UTF_8));
        return new SplittableRandom(seed ^ (hash.getValue() << 32 | hash.getValue()));
    }
}
