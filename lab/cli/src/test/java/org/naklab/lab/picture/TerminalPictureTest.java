package org.naklab.lab.picture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.Test;
import org.naklab.lab.core.timeline.TimelineEventType;

/** The picture of README.md is the recording beside it, and the recording is what {@code naklab watch} prints. */
final class TerminalPictureTest {
    private static final Path IMAGES = Path.of("..", "..", "docs", "images");
    private static final Pattern EVENT = Pattern.compile("\\d\\d:\\d\\d:\\d\\d\\.\\d{3}  (.{19})  ?\\S.*");

    private static List<String> recording() throws IOException {
        return Files.readAllLines(IMAGES.resolve("watch.txt"));
    }

    @Test
    void shouldKeepThePictureThatIsDrawnFromTheRecording() throws IOException {
        assertThat(Files.readString(IMAGES.resolve("watch.svg")))
                .as("docs/images/watch.svg; .ci/picture draws it")
                .isEqualTo(TerminalPicture.draw(recording()));
    }

    @Test
    void shouldShowEveryWordOfTheRecordingAndNoOther() throws IOException {
        String shown =
                Jsoup.parse(Files.readString(IMAGES.resolve("watch.svg")), "", Parser.xmlParser())
                        .select("text")
                        .stream()
                        .map(Element::text)
                        .collect(Collectors.joining(" "));
        String recorded =
                recording().stream().map(line -> line.split("\t", 2)[1]).collect(Collectors.joining(" "));

        assertThat(words(shown)).isEqualTo(words(recorded));
    }

    @Test
    void shouldRecordEventsThatThereAre() throws IOException {
        List<String> events = Arrays.stream(TimelineEventType.values())
                .map(type -> type.name().toLowerCase(Locale.ROOT).replace('_', ' '))
                .toList();
        List<String> recorded = recording().stream()
                .map(line -> EVENT.matcher(line.split("\t", 2)[1]))
                .filter(Matcher::matches)
                .map(event -> event.group(1).strip())
                .toList();

        assertThat(recorded)
                .contains("stall", "datagrams dropped")
                .allMatch(name -> name.equals("cause of stall") || events.contains(name));
    }

    /** Whoever meets the project sees it before reading further. */
    @Test
    void shouldStandInTheFirstLinesOfReadme() throws IOException {
        List<String> readme = Files.readAllLines(IMAGES.resolve("../../README.md"));
        assertThat(readme.subList(0, 10)).anyMatch(line -> line.endsWith("](docs/images/watch.svg)"));
        assertThat(recording()).noneMatch(line -> line.matches(".*\\b(true|false)\\b.*"));
    }

    private static List<String> words(String text) {
        return List.of(text.strip().split("\\s+"));
    }
}
