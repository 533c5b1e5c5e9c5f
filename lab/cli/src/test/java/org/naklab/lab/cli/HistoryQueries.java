package org.naklab.lab.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The queries of docs/reference/history.md, as its readers ask them. */
final class HistoryQueries {
    /** The number of the query about NAKs before and after eviction began. */
    static final int NAKS_BESIDE_EVICTION = 2;

    private static final Path PAGE = Path.of(System.getProperty("naklab.root"), "docs/reference/history.md");
    private static final Pattern QUERY = Pattern.compile("### (\\d+)\\. [^#]*?```sql\\n(.*?)```", Pattern.DOTALL);

    private HistoryQueries() {}

    /** Returns the rows that a database in a file answers to each query, by the number of the query. */
    static Map<Integer, List<Map<String, Object>>> answers(Path file) throws IOException, SQLException {
        Map<Integer, List<Map<String, Object>>> answers = new LinkedHashMap<>();
        try (Connection database = DriverManager.getConnection("jdbc:sqlite:" + file)) {
            for (Map.Entry<Integer, String> query : queries().entrySet()) {
                answers.put(query.getKey(), rows(database, query.getValue()));
            }
        }
        return answers;
    }

    private static Map<Integer, String> queries() throws IOException {
        Map<Integer, String> queries = new LinkedHashMap<>();
        Matcher query = QUERY.matcher(Files.readString(PAGE));
        while (query.find()) {
            queries.put(Integer.valueOf(query.group(1)), query.group(2));
        }
        return queries;
    }

    private static List<Map<String, Object>> rows(Connection database, String query) throws SQLException {
        List<Map<String, Object>> rows = new ArrayList<>();
        try (Statement statement = database.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            while (result.next()) {
                Map<String, Object> row = new LinkedHashMap<>();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    row.put(result.getMetaData().getColumnLabel(i), result.getObject(i));
                }
                rows.add(row);
            }
        }
        return rows;
    }
}
