package org.naklab.lab.runs.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.runs.calendar.CalendarPage;

/** The contrast of text, by the formula of WCAG 2.2 (relative luminance), and the size of what one points at. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ContrastTest {
    private static final double LEAST = 4.5;
    private static final int LEAST_TARGET_PX = 24;

    private static final Pattern VARIABLE = Pattern.compile("--([a-z-]+): (#[0-9a-f]{6}|#[0-9a-f]{3})");

    @ParameterizedTest
    @CsvSource({
        "ink, ground",
        "ink, panel",
        "faint, ground",
        "faint, panel",
        "good, ground",
        "bad, ground",
        "doubt, ground",
        "accent, ground",
        "on-mark, pass",
        "on-mark, fail",
        "unknown, ground"
    })
    void shouldReadInLightDarkAndPrint(String text, String ground) {
        for (String medium : new String[] {"", "@media (prefers-color-scheme: dark)", "@media print"}) {
            Map<String, String> colours = colours(medium);
            assertThat(contrast(colour(colours, text), colour(colours, ground)))
                    .as(text + " on " + ground + " in " + medium)
                    .isGreaterThanOrEqualTo(LEAST);
        }
    }

    @Test
    void shouldComputeTheContrastsOfTheStandard() {
        assertThat(contrast("#ffffff", "#000000")).isEqualTo(21.0);
        assertThat(contrast("#ffffff", "#8a93a1")).isBetween(3.0, 3.2);
    }

    @Test
    void shouldGiveEachMarkRoomForAFinger() {
        Matcher size = Pattern.compile("\\.run \\{[^}]*?width: (\\d+)px; height: (\\d+)px")
                .matcher(Page.resource(CalendarPage.class, "calendar.html"));
        assertThat(size.find()).isTrue();
        assertThat(Integer.parseInt(size.group(1))).isGreaterThanOrEqualTo(LEAST_TARGET_PX);
        assertThat(Integer.parseInt(size.group(2))).isGreaterThanOrEqualTo(LEAST_TARGET_PX);
        assertThat(size.find()).as("another size, of a narrow screen").isFalse();
    }

    private static String colour(Map<String, String> colours, String name) {
        return Objects.requireNonNull(colours.get(name), name);
    }

    /** Returns the variables of all style sheets: those without a medium, then those of the medium in their place. */
    private static Map<String, String> colours(String medium) {
        Map<String, String> colours = new LinkedHashMap<>();
        for (String sheet :
                new String[] {Page.resource(Page.class, "page.css"), Page.resource(CalendarPage.class, "calendar.html")
                }) {
            read(sheet.replaceAll("@media [^{]*\\{(?:[^{}]*\\{[^{}]*\\})*[^{}]*\\}", ""), colours);
            Matcher blocks = Pattern.compile("(@media [^{]*?) ?\\{((?:[^{}]*\\{[^{}]*\\})*)")
                    .matcher(sheet);
            while (blocks.find()) {
                if (!medium.isEmpty() && blocks.group(1).startsWith(medium)) {
                    read(blocks.group(2), colours);
                }
            }
        }
        return colours;
    }

    private static void read(String sheet, Map<String, String> colours) {
        Matcher variables = VARIABLE.matcher(sheet);
        while (variables.find()) {
            colours.put(variables.group(1), variables.group(2));
        }
    }

    private static double contrast(String one, String other) {
        double lighter = Math.max(luminance(one), luminance(other));
        double darker = Math.min(luminance(one), luminance(other));
        return (lighter + 0.05) / (darker + 0.05);
    }

    private static double luminance(String colour) {
        String hex = colour.length() == 4 ? colour.replaceAll("([0-9a-f])", "$1$1") : colour;
        return 0.2126 * linear(hex, 1) + 0.7152 * linear(hex, 3) + 0.0722 * linear(hex, 5);
    }

    private static double linear(String hex, int at) {
        double share = Integer.parseInt(hex.substring(at, at + 2), 16) / 255.0;
        return share <= 0.04045 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
    }
}
