package org.naklab.lab.instruments.jvm;

import java.util.List;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import org.jspecify.annotations.Nullable;

/** Writes the stacks of JFR as text: {@code a.b.C.method:7}, innermost frame first. */
final class JavaFrames {
    private static final int MAX_FRAMES = 16;

    /** In the names of classes that no source has. */
    private static final String MADE_BY_JVM = "$$Lambda";

    /** Code that others call to wait: what they waited for begins behind it. */
    private static final List<String> LIBRARY = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

    private JavaFrames() {}

    /** Returns up to 16 frames; none if JFR recorded no stack. */
    static List<String> of(@Nullable RecordedStackTrace stack) {
        return stack == null
                ? List.of()
                : stack.getFrames().stream()
                        .map(JavaFrames::text)
                        .filter(frame -> !frame.contains(MADE_BY_JVM))
                        .limit(MAX_FRAMES)
                        .toList();
    }

    /** Returns the innermost frame outside of the JDK; the innermost frame if all are of the JDK; empty if there is none. */
    static String own(List<String> frames) {
        return frames.stream()
                .filter(frame -> LIBRARY.stream().noneMatch(frame::startsWith))
                .findFirst()
                .or(() -> frames.stream().findFirst())
                .orElse("");
    }

    /** Returns the method of a frame, without the line. */
    static String method(String frame) {
        int colon = frame.indexOf(':');
        return colon < 0 ? frame : frame.substring(0, colon);
    }

    private static String text(RecordedFrame frame) {
        RecordedMethod method = frame.getMethod();
        String line = frame.getLineNumber() > 0 ? ":" + frame.getLineNumber() : "";
        return method.getType().getName() + '.' + method.getName() + line;
    }
}
