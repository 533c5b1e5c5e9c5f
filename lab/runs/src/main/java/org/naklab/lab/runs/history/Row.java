package org.naklab.lab.runs.history;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/** Fills a statement's parameters one after the other. */
final class Row {
    private final PreparedStatement statement;
    private int index;

    Row(PreparedStatement statement) {
        this.statement = statement;
    }

    Row text(@Nullable String value) throws SQLException {
        statement.setString(++index, value);
        return this;
    }

    Row number(long value) throws SQLException {
        statement.setLong(++index, value);
        return this;
    }

    Row number(@Nullable Long value) throws SQLException {
        if (value == null) {
            statement.setNull(++index, Types.BIGINT);
            return this;
        }
        return number(value.longValue());
    }

    Row decimal(double value) throws SQLException {
        statement.setDouble(++index, value);
        return this;
    }
}
