package org.naklab.lab.workshop.benchmark;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.workshop.Answer;

/** A file of answers to a benchmark: one JSON object a line. */
public final class AnswerFile {
    /** A line is an answer, and no book. */
    private static final int MAX_LINES = 100_000;

    private static final int USUAL_SURE = 50;

    private AnswerFile() {}

    /**
     * Reads the answers by the names of their cases.
     *
     * @throws InputException the file cannot be read, or a line is no answer
     */
    public static Map<String, Answer> read(Path file) {
        Map<String, Answer> answers = new LinkedHashMap<>();
        try (BufferedReader in = Files.newBufferedReader(file)) {
            String line = in.readLine();
            for (int number = 1; line != null && number <= MAX_LINES; number++) {
                if (!line.isBlank()) {
                    add(file, number, line, answers);
                }
                line = in.readLine();
            }
        } catch (IOException e) {
            throw new InputException("the answers in " + file + " cannot be read: " + e.getMessage(), e);
        }
        return answers;
    }

    private static void add(Path file, int number, String line, Map<String, Answer> answers) {
        try {
            JsonNode answer = Json.parse(line);
            String name = answer.path("case").asText();
            if (name.isEmpty() || !answer.path("cause").isTextual()) {
                throw new UsageException("an answer has at least \"case\" and \"cause\"");
            }
            if (answers.put(name, answer(answer)) != null) {
                throw new UsageException("the case " + name + " was answered before");
            }
        } catch (JsonProcessingException e) {
            throw new InputException("line " + number + " of " + file + " is no JSON object", e);
        } catch (UsageException | UncheckedIOException e) {
            throw new InputException("line " + number + " of " + file + ": " + e.getMessage(), e);
        }
    }

    private static Answer answer(JsonNode line) {
        List<String> because = new ArrayList<>();
        line.path("because").forEach(fact -> because.add(fact.asText()));
        JsonNode at = line.path("at");
        JsonNode remedy = line.path("remedy");
        return new Answer(
                line.path("cause").asText(),
                at.isNumber() ? at.asDouble() : null,
                because,
                Map.of(),
                remedy.isTextual() ? remedy.asText() : null,
                line.path("sure").asInt(USUAL_SURE));
    }
}
