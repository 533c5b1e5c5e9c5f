package org.naklab.lab.runs.history.detail;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/** Fills a statement's parameters one after the other. */
public final class Row {
    private final PreparedStatement statement;
    private int index;

    /** Creates a row of which no parameter is filled in. */
    public Row(PreparedStatement statement) {
        this.statement = statement;
    }

    /** Adds a text; {@code null}: the column is empty. */
    public Row text(@Nullable String value) throws SQLException {
        statement.setString(++index, value);
        return this;
    }

    /** Adds a whole number. */
    public Row number(long value) throws SQLException {
        statement.setLong(++index, value);
        return this;
    }

    /** Adds a whole number; {@code null}: the column is empty. */
    public Row number(@Nullable Long value) throws SQLException {
        if (value == null) {
            statement.setNull(++index, Types.BIGINT);
            return this;
        }
        return number(value.longValue());
    }

    /** Adds a decimal number. */
    public Row decimal(double value) throws SQLException {
        statement.setDouble(++index, value);
        return this;
    }

    /** Adds a decimal number; {@code null}: the column is empty. */
    public Row decimal(@Nullable Double value) throws SQLException {
        if (value == null) {
            statement.setNull(++index, Types.DOUBLE);
            return this;
        }
        return decimal(value.doubleValue());
    }

    /** Adds 0 or 1; {@code null}: the column is empty. */
    public Row flag(@Nullable Boolean value) throws SQLException {
        return number(value == null ? null : Long.valueOf(value ? 1 : 0));
    }

    /** Adds the parameters to the batch of the statement. */
    void addToBatch() throws SQLException {
        statement.addBatch();
    }
}
