package org.naklab.lab.cli.evidence;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.naklab.files.FileTrees;
import org.naklab.lab.cases.Case;
import org.naklab.lab.cases.CaseReader;
import org.naklab.lab.cases.CaseWriter;
import org.naklab.lab.cases.Expected;
import org.naklab.lab.cases.Judgement;
import org.naklab.lab.cases.SampleCut;
import org.naklab.lab.cases.Truth;
import org.naklab.lab.cli.bundle.Bundle;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.diagnosis.Diagnosis;
import org.naklab.lab.terminal.Version;

/** Makes a small, redacted case of a large one, with the same diagnosis. */
final class CaseKeeper {
    /** The largest kept case, all files together. */
    static final long MAX_BYTES = 200 * 1024;

    private static final long MARGIN_NS = TimeUnit.SECONDS.toNanos(1);
    private static final String SAMPLES = "samples.csv.gz";

    private final Path source;

    /** @param source directory or archive with a case */
    CaseKeeper(Path source) {
        this.source = source;
    }

    /**
     * Keeps the case.
     *
     * @param target does not exist
     * @param byOthers what others than the lab did to a run, in one sentence; empty: nothing
     * @param causes the right ones, the worst first; empty: those that are given now
     * @throws InputException there is no case, or it cannot be kept, or nobody knows what the lab did
     */
    Expected keep(Path target, String about, String byOthers, List<Cause> causes) throws IOException {
        Path work = Files.createTempDirectory("naklab-case");
        boolean isKept = false;
        try {
            Judgement whole = redact(work);
            Files.createDirectory(target);
            Expected expected = write(work.resolve("bundle.zip"), target, whole, about, byOthers, causes);
            isKept = true;
            return expected;
        } finally {
            FileTrees.delete(work);
            if (!isKept) {
                FileTrees.delete(target);
            }
        }
    }

    /** Bundles the files of the case, and returns the judgement of the case as it was. */
    private Judgement redact(Path work) throws IOException {
        Path copy = Files.createDirectory(work.resolve("copy"));
        try (CaseReader reader = CaseReader.open(source)) {
            List<Path> files;
            try (Stream<Path> all = Files.list(reader.directory())) {
                files = all.filter(Files::isRegularFile).toList();
            }
            for (Path file : files) {
                try (InputStream in = Files.newInputStream(file);
                        OutputStream out = Files.newOutputStream(copy.resolve(String.valueOf(file.getFileName())))) {
                    in.transferTo(out);
                }
            }
            Bundle bundle = new Bundle(copy, Set.of(), List.of(), List.of(new Version().getVersion()));
            bundle.learnThisMachine();
            bundle.write(work.resolve("bundle.zip"));
            return Judgement.of(reader.read());
        }
    }

    private static Expected write(
            Path bundle, Path target, Judgement whole, String about, String byOthers, List<Cause> causes)
            throws IOException {
        try (CaseReader reader = CaseReader.open(bundle)) {
            Case redacted = reader.read();
            CaseWriter.write(target, redacted);
            if (!byOthers.isEmpty() && reader.truth().isEmpty()) {
                throw new InputException(
                        "the case has no " + Truth.NAME + ", in which --by-others would stand: use --about instead");
            }
            reader.truth()
                    .map(truth -> byOthers.isEmpty() ? truth : truth.disturbed(byOthers))
                    .ifPresent(truth -> CaseWriter.write(target, truth));
            check(whole.diagnosis(), Judgement.of(redacted).diagnosis());
            long bytes = bytes(target);
            if (bytes > MAX_BYTES) {
                throw new InputException(
                        "the case needs " + bytes / 1024 + " KB without its samples, and a kept case has at most "
                                + MAX_BYTES / 1024 + " KB: keep a shorter run");
            }
            addSamples(reader.directory().resolve(SAMPLES), target, focus(redacted, whole), MAX_BYTES - bytes);
            Expected expected = expected(whole.diagnosis(), about, causes);
            Json.write(target.resolve(Expected.NAME), expected);
            return expected;
        }
    }

    private static void addSamples(Path samples, Path target, Interval around, long mostBytes) throws IOException {
        if (Files.exists(samples)) {
            Path cut = target.resolve(SAMPLES);
            SampleCut.cut(samples, cut, around);
            if (Files.size(cut) > mostBytes) {
                Files.delete(cut);
            }
        }
    }

    /** A case whose redaction changes the diagnosis would test something else. */
    private static void check(Diagnosis whole, Diagnosis kept) {
        if (whole.cause() != kept.cause() || whole.confidence() != kept.confidence()) {
            throw new InputException("the redacted case cannot be kept: its diagnosis is "
                    + kept.cause().label() + ", "
                    + kept.confidence().label() + ", that of the whole is "
                    + whole.cause().label() + ", " + whole.confidence().label());
        }
    }

    private static Expected expected(Diagnosis diagnosis, String about, List<Cause> causes) {
        Expected given = Expected.of(about, diagnosis);
        return causes.isEmpty()
                ? given
                : new Expected(
                        about,
                        causes.get(0).label(),
                        causes.get(0) == diagnosis.cause() ? given.confidence() : "likely",
                        causes.stream().skip(1).map(Cause::label).toList());
    }

    /** Returns the time around the stall that matters, or else around what was diagnosed, or else the begin of the counted time. */
    private static Interval focus(Case evidence, Judgement judgement) {
        Optional<TimelineEvent> stall =
                Optional.ofNullable(judgement.diagnosis().stall());
        Interval counted = evidence.document().clock().counted();
        Interval focus = stall.map(TimelineEvent::interval)
                .or(() -> judgement.diagnosis().causes().stream()
                        .findFirst()
                        .map(cause -> new Interval(cause.atNs(), cause.atNs())))
                .orElse(new Interval(counted.beginNs(), counted.beginNs()));
        return new Interval(focus.beginNs() - MARGIN_NS, focus.endNs() + MARGIN_NS);
    }

    private static long bytes(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.mapToLong(CaseKeeper::size).sum();
        }
    }

    private static long size(Path file) {
        return file.toFile().length();
    }
}
