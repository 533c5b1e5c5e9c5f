package org.naklab.lab.tools.linking;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.ShellWord;
import org.naklab.lab.runs.page.Page;
import org.naklab.lab.terminal.runs.MeasuredLine;

/** A profile of library calls as one HTML page. */
final class LibprofPage {
    private static final double PERCENT = 100;

    private LibprofPage() {}

    /**
     * Writes the page.
     *
     * @param top functions of each table
     * @throws org.naklab.lab.core.LabException it cannot be written
     */
    static void write(Path file, LibraryProfile profile, int top) {
        List<Map<String, Object>> tables = new ArrayList<>();
        tables.add(table(
                "", "Entire program", profile.entireSeconds(), profile.nonLibrarySeconds(), profile.functions(), top));
        List<LibraryProfile.ThreadProfile> threads = profile.threads();
        if (threads != null) {
            for (LibraryProfile.ThreadProfile thread : threads) {
                tables.add(table(
                        LibprofText.thread(thread),
                        "Entire thread",
                        thread.entireSeconds(),
                        thread.nonLibrarySeconds(),
                        thread.functions(),
                        top));
            }
        }
        Map<String, Object> values = new HashMap<>();
        values.put("program", LibprofText.program(profile));
        values.put("answer", LibprofText.answer(profile));
        values.put(
                "command",
                String.join(" ", profile.command().stream().map(ShellWord::of).toList()));
        values.put("end", "Process " + profile.pid() + LibprofText.end(profile));
        values.put("measured", MeasuredLine.now());
        values.put("tables", tables);
        SystemAccount system = profile.system();
        values.put("hasSystem", system != null);
        values.put("threadHead", rest(SystemText.THREAD_HEAD));
        values.put("callHead", rest(SystemText.CALL_HEAD));
        values.put(
                "threads",
                system == null
                        ? List.of()
                        : system.threads().stream()
                                .limit(top)
                                .map(thread -> cells(SystemText.cells(thread)))
                                .toList());
        values.put(
                "calls",
                system == null
                        ? List.of()
                        : system.systemCalls().stream()
                                .limit(top)
                                .map(call -> cells(SystemText.cells(call)))
                                .toList());
        values.put("hasLocks", system != null && !system.locks().isEmpty());
        values.put("lockHead", rest(SystemText.LOCK_HEAD));
        values.put(
                "locks",
                system == null
                        ? List.of()
                        : system.locks().stream()
                                .limit(top)
                                .map(lock -> cells(SystemText.cells(lock)))
                                .toList());
        values.put("locksTitle", SystemText.LOCKS_TITLE);
        values.put("threadsTitle", SystemText.TITLE);
        values.put("callsTitle", SystemText.CALLS_TITLE);
        values.put("notes", LibprofText.notes(profile));
        Page.write(file, Page.render(LibprofPage.class, "libprof.html", values));
    }

    private static Map<String, Object> cells(List<String> row) {
        return Map.of("name", row.get(0), "figures", rest(row));
    }

    private static List<String> rest(List<String> row) {
        return row.subList(1, row.size());
    }

    private static Map<String, Object> table(
            String title,
            String whole,
            double entireSeconds,
            double otherSeconds,
            List<LibraryProfile.Function> functions,
            int top) {
        List<Map<String, Object>> rows = new ArrayList<>();
        rows.add(row(whole, "", entireSeconds, entireSeconds, 1));
        rows.add(row("Non-library time", "", otherSeconds, entireSeconds, 1));
        functions.stream()
                .limit(top)
                .forEach(function -> rows.add(row(
                        LibprofText.name(function, functions),
                        function.library(),
                        function.seconds(),
                        entireSeconds,
                        function.calls())));
        if (functions.size() > top) {
            List<LibraryProfile.Function> others = functions.subList(top, functions.size());
            rows.add(row(
                    "(" + Format.counted(others.size(), "other") + ")",
                    "",
                    others.stream()
                            .mapToDouble(LibraryProfile.Function::seconds)
                            .sum(),
                    entireSeconds,
                    others.stream().mapToLong(LibraryProfile.Function::calls).sum()));
        }
        return Map.of("title", title, "rows", rows);
    }

    private static Map<String, Object> row(
            String name, String library, double seconds, double entireSeconds, long calls) {
        double percent = share(seconds, entireSeconds);
        return Map.of(
                "name", name,
                "library", library,
                "seconds", String.format(Locale.ROOT, "%.6f", seconds),
                "percent", String.format(Locale.ROOT, "%.2f", percent),
                "width", String.format(Locale.ROOT, "%.1f", percent),
                "calls", Format.count(calls),
                "perCall", calls == 0 ? "" : String.format(Locale.ROOT, "%.8f", seconds / calls));
    }

    private static double share(double seconds, double entireSeconds) {
        return entireSeconds == 0 ? 0 : PERCENT * seconds / entireSeconds;
    }
}
