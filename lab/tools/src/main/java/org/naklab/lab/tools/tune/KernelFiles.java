package org.naklab.lab.tools.tune;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.naklab.faults.guard.Guard;
import org.naklab.lab.core.LabException;
import org.naklab.lab.instruments.linux.KernelSetting;

/** Sets files of the kernel, and puts them back when it is closed; a guard process does if this one is killed. One thread. */
final class KernelFiles implements AutoCloseable {
    private final Guard guard = new Guard();
    private final Deque<Change> changes = new ArrayDeque<>();

    private record Change(Path file, String former, Guard.Promise promise) {}

    /**
     * Sets files.
     *
     * @return what was read back, one line for each
     * @throws LabException a file cannot be set; those before it are put back when this is closed
     */
    List<String> set(List<Setting.KernelFile> settings) {
        List<String> proof = new ArrayList<>();
        for (Setting.KernelFile setting : settings) {
            String former = read(setting.file());
            Guard.Promise promise = guard.toRun(
                    "set " + setting.file() + " back to " + former,
                    List.of(
                            "sh",
                            "-c",
                            "printf %s \"$1\" >\"$2\"",
                            "sh",
                            former,
                            setting.file().toString()));
            changes.push(new Change(setting.file(), former, promise));
            write(setting.file(), setting.value());
            proof.add(setting.file() + " is " + read(setting.file()) + ", was " + former);
        }
        return proof;
    }

    /** Returns the settings that the kernel does not have now; a list in which one word is in brackets has that word. */
    static List<String> missing(List<Setting.KernelFile> settings) {
        return settings.stream()
                .filter(setting -> !sameWords(read(setting.file()), setting.value()))
                .map(Setting.KernelFile::toString)
                .toList();
    }

    /** The kernel separates the numbers of a parameter that has several by tabs. */
    private static boolean sameWords(String text, String other) {
        return Arrays.equals(text.split("\\s+", -1), other.strip().split("\\s+", -1));
    }

    private static String read(Path file) {
        try {
            String text = KernelSetting.text(file);
            int begin = text.indexOf('[');
            int end = text.indexOf(']', begin + 1);
            return begin >= 0 && end > begin ? text.substring(begin + 1, end) : text;
        } catch (IOException e) {
            throw new LabException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private static void write(Path file, String value) {
        try {
            Files.writeString(file, value);
        } catch (IOException e) {
            throw new LabException(
                    "cannot set " + file + " to " + value + ": " + e.getMessage() + "; it may need root", e);
        }
    }

    /** Puts back what was set, the last first. */
    void restore() {
        while (!changes.isEmpty()) {
            Change change = changes.peek();
            write(change.file(), change.former());
            change.promise().kept();
            changes.pop();
        }
    }

    @Override
    public void close() {
        try (guard) {
            restore();
        }
    }
}
