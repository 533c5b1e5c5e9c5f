package org.naklab.journaler.derived;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

class CsvRowTest {
    private final CsvRow row = new CsvRow();

    @Example
    void shouldQuoteByRfc4180() {
        row.clear()
                .text("plain")
                .text("a,b")
                .text("say \"hi\"")
                .text("two\r\nlines")
                .text("")
                .end();

        assertThat(text()).isEqualTo("plain,\"a,b\",\"say \"\"hi\"\"\",\"two\r\nlines\",\r\n");
    }

    @Example
    void shouldWritePricesWithFourDecimals() {
        row.clear()
                .price(5_853_300)
                .price(0)
                .price(7)
                .price(-12_345)
                .price(-1)
                .empty()
                .end();

        assertThat(text()).isEqualTo("585.3300,0.0000,0.0007,-1.2345,-0.0001,\r\n");
    }

    @Property(tries = 300)
    void shouldBeReadBackByAnotherLibrary(@ForAll("rows") List<List<String>> rows) throws IOException {
        StringBuilder csv = new StringBuilder();
        for (List<String> fields : rows) {
            row.clear();
            fields.forEach(row::text);
            csv.append(end());
        }

        List<List<String>> read = new ArrayList<>();
        try (CSVParser parser = CSVParser.parse(new StringReader(csv.toString()), CSVFormat.RFC4180)) {
            for (CSVRecord csvRecord : parser) {
                read.add(csvRecord.toList());
            }
        }

        assertThat(read).isEqualTo(rows);
    }

    @Property
    void shouldWriteAnyNumber(@ForAll long value) {
        row.clear().number(value).end();

        assertThat(text()).isEqualTo(value + "\r\n");
    }

    @Property
    void shouldWriteAnyPrice(@ForAll long price) {
        row.clear().price(price).end();

        assertThat(text().strip()).isEqualTo(BigDecimal.valueOf(price, 4).toPlainString());
    }

    @Provide
    Arbitrary<List<List<String>>> rows() {
        Arbitrary<String> field =
                Arbitraries.strings().withChars("ab,\"\r\n é").ofMinLength(0).ofMaxLength(8);
        // A row of one empty field cannot be told from an empty line.
        return field.list().ofMinSize(2).ofMaxSize(6).list().ofMinSize(1).ofMaxSize(4);
    }

    private String end() {
        row.end();
        return text();
    }

    private String text() {
        return new String(row.bytes(), 0, row.length(), StandardCharsets.UTF_8);
    }
}
