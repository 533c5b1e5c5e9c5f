package org.naklab.lab.instruments.linking;

import java.io.IOException;
import java.nio.file.Path;

/** Answers whether a program calls its libraries through a linkage table. */
public final class LinkageTable {
    private LinkageTable() {}

    /**
     * Returns false of a program that is statically linked or built with {@code -fno-plt}. A file that is no program of this machine, such as a script, is taken to
     * have one: what runs it has.
     */
    public static boolean isUsedBy(Path program) {
        try (ElfImage image = ElfImage.open(program)) {
            return image.isDynamic() && !image.jumpSlots().isEmpty();
        } catch (IOException notAProgram) {
            return true;
        }
    }
}
