package org.naklab.lab.cli.ci;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.OutputFile;
import org.naklab.lab.core.Printable;
import org.naklab.lab.core.Reason;
import org.naklab.lab.core.Units;

/**
 * Writes verdicts as JUnit XML, which all systems of continuous integration read: a test suite for each run, a test case for each condition. A condition
 * that does not hold is a failure; one that the run does not show is an error.
 */
public final class JunitXml {
    private static final String INDENT = "\n  ";

    private JunitXml() {}

    /**
     * Writes a file, or replaces it.
     *
     * @throws LabException it cannot be written
     */
    public static void write(Path file, List<RunVerdict> runs) {
        try {
            OutputFile.replace(file, out -> {
                Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
                try {
                    write(XMLOutputFactory.newInstance().createXMLStreamWriter(writer), runs);
                } catch (XMLStreamException e) {
                    throw new IOException(e);
                }
                writer.flush();
            });
        } catch (IOException e) {
            throw new LabException("cannot write " + file + ": " + Reason.of(e), e);
        }
    }

    private static void write(XMLStreamWriter xml, List<RunVerdict> runs) throws XMLStreamException {
        xml.writeStartDocument("UTF-8", "1.0");
        xml.writeCharacters("\n");
        xml.writeStartElement("testsuites");
        for (RunVerdict run : runs) {
            xml.writeCharacters(INDENT);
            suite(xml, run);
        }
        xml.writeCharacters("\n");
        xml.writeEndElement();
        xml.writeEndDocument();
        xml.flush();
    }

    private static void suite(XMLStreamWriter xml, RunVerdict run) throws XMLStreamException {
        xml.writeStartElement("testsuite");
        attribute(xml, "name", run.name());
        attribute(xml, "tests", String.valueOf(run.conditions().size()));
        attribute(xml, "failures", String.valueOf(run.count(RunVerdict.Kind.FAIL)));
        attribute(xml, "errors", String.valueOf(run.count(RunVerdict.Kind.UNKNOWN)));
        attribute(xml, "time", String.format(Locale.ROOT, "%.3f", run.elapsedNs() / Units.NS_PER_S));
        for (RunVerdict.Condition condition : run.conditions()) {
            xml.writeCharacters(INDENT + "  ");
            xml.writeStartElement("testcase");
            attribute(xml, "classname", run.name());
            attribute(xml, "name", condition.claim());
            if (condition.kind() != RunVerdict.Kind.PASS) {
                xml.writeEmptyElement(condition.kind() == RunVerdict.Kind.FAIL ? "failure" : "error");
                attribute(xml, "message", condition.sentence());
            }
            xml.writeEndElement();
        }
        xml.writeCharacters(INDENT);
        xml.writeEndElement();
    }

    /** A control character is not allowed in XML, not even escaped. */
    private static void attribute(XMLStreamWriter xml, String name, String value) throws XMLStreamException {
        xml.writeAttribute(name, Printable.of(value));
    }
}
