package org.naklab.lab.cli.bundle;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.naklab.lab.cli.doctor.CheckResult;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.OutputFile;
import org.naklab.lab.core.Reason;
import org.naklab.lab.core.UsageException;

/** Writes what a run or a watch left into one file, without the names and secrets of those who ran it. One thread. */
public final class Bundle {
    /** Name of the doctor's findings in the bundle. */
    static final String DOCTOR = "doctor.json";

    private static final String SUSPECTS = " words in it look as if they were made at random, as keys are";

    /** Of a text, decompressed: a small file may hold one without end. */
    private static final long MAX_BYTES = 1L << 28;

    /** A compressed text is read so long; what comes later is left out. */
    private static final long MAX_READ_NS = TimeUnit.SECONDS.toNanos(60);

    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");
    private static final String REPORT = "report.html";
    private static final Set<String> OWN = Set.of(DOCTOR, BundleManifest.NAME);

    private final Path directory;
    private final Set<Contents> included;
    private final List<CheckResult> findings;
    private final List<String> versions;
    private final long maxBytes;
    private final LongSupplier clock;
    private final Map<String, BundleSource.Learnt> learnt = new HashMap<>();
    private final Redactor redactor = new Redactor();
    private final List<BundleManifest.Entry> files = new ArrayList<>();
    private final List<BundleManifest.Entry> notRedacted = new ArrayList<>();
    private final List<BundleManifest.Entry> leftOut = new ArrayList<>();

    /**
     * Tells what was written.
     *
     * @param files number of redacted files
     * @param notRedacted files that are in the bundle as they are
     * @param leftOut files that are not in the bundle, each with the reason
     * @param toCheck redacted files of which something is missing or looks secret, each with what
     * @param redacted number of different originals by kind
     */
    public record Result(
            int files,
            List<String> notRedacted,
            List<String> leftOut,
            List<String> toCheck,
            Map<String, Integer> redacted) {}

    /**
     * Prepares a bundle.
     *
     * @param directory of a run, or of a watch that recorded
     * @param included what would otherwise be left out; it is not redacted
     * @param findings of the doctor; empty leaves them out
     * @param versions of the program and what it runs on
     */
    public Bundle(Path directory, Set<Contents> included, List<CheckResult> findings, List<String> versions) {
        this(directory, included, findings, versions, MAX_BYTES, System::nanoTime);
    }

    /**
     * Prepares a bundle with at most so many bytes of each text.
     *
     * @param clock monotonic, ns
     */
    Bundle(
            Path directory,
            Set<Contents> included,
            List<CheckResult> findings,
            List<String> versions,
            long maxBytes,
            LongSupplier clock) {
        this.maxBytes = maxBytes;
        this.clock = clock;
        this.directory = directory;
        this.included = Set.copyOf(included);
        this.findings = List.copyOf(findings);
        this.versions = List.copyOf(versions);
    }

    /**
     * Adds what this process knows of the machine and its user, beyond what the files tell.
     *
     * @throws IOException the name of the machine cannot be read
     */
    public void learnThisMachine() throws IOException {
        String host = Files.isReadable(HOST_NAME) ? Files.readString(HOST_NAME).strip() : "";
        learn(System.getenv(), host, System.getProperty("user.name", ""), System.getProperty("user.home", ""));
    }

    /**
     * Adds what is known of a machine and its user, beyond what the files tell.
     *
     * @param environment of a process of that user
     * @param host name of the machine
     * @param user name of the user
     * @param home directory of the user
     */
    void learn(Map<String, String> environment, String host, String user, String home) {
        redactor.learnEnvironment(environment);
        redactor.learnHost(host);
        redactor.learnUser(user);
        redactor.learnHome(home);
    }

    /**
     * Writes the bundle, readable by its owner only.
     *
     * @param file must not exist
     * @throws UsageException the file exists
     * @throws LabException something cannot be read or written
     */
    public Result write(Path file) {
        return write(file, unused -> {});
    }

    /**
     * Checks that a bundle can be written, before anything is read. Leaves nothing.
     *
     * @throws UsageException the file exists
     * @throws org.naklab.lab.core.InputException it cannot be written
     */
    public static void check(Path file) {
        try {
            BundleFile.requireNone(file);
        } catch (IOException e) {
            throw notOverwritten(file, e);
        }
        OutputFile.requireWritable(file);
    }

    private static UsageException notOverwritten(Path file, IOException cause) {
        UsageException refusal =
                new UsageException(file + " exists already and is not overwritten: name another file with -o");
        refusal.initCause(cause);
        return refusal;
    }

    /** Returns how many steps {@link #write(Path, Consumer)} has for a directory. */
    public static int steps(Path directory) {
        return 2 * BundleSource.below(directory).size();
    }

    /**
     * As the other.
     *
     * @param progress told of each file before it is read, and before it is written
     */
    public Result write(Path file, Consumer<String> progress) {
        List<BundleSource> sources = BundleSource.below(directory);
        try (BundleFile whole = new BundleFile(file)) {
            try (ZipOutputStream zip =
                    new ZipOutputStream(new BufferedOutputStream(whole.out()), StandardCharsets.UTF_8)) {
                learnAll(sources, progress);
                for (BundleSource source : sources) {
                    progress.accept("writing " + source.path());
                    add(source, zip);
                }
                redactor.begin("");
                if (!findings.isEmpty()) {
                    document(zip, DOCTOR, findings);
                }
                document(zip, BundleManifest.NAME, manifest());
                zip.finish();
                zip.flush();
                whole.publish();
            }
        } catch (FileAlreadyExistsException e) {
            throw notOverwritten(file, e);
        } catch (IOException e) {
            throw new LabException("cannot write " + file + ": " + Reason.of(e), e);
        }
        return new Result(files.size(), lines(notRedacted), lines(leftOut), toCheck(), redactor.counts());
    }

    /** Every text is learnt before the first is written: a name that the last one reveals may stand in the first. */
    private void learnAll(List<BundleSource> sources, Consumer<String> progress) throws IOException {
        for (BundleSource source : sources) {
            progress.accept("reading " + source.path());
            redactor.learnUser(source.owner());
            redactor.learn(source.path());
            if (isRedactable(source)) {
                learnt.put(source.path(), source.learn(redactor, maxBytes, this::deadline));
            }
        }
        redactor.learn(Json.line(findings));
    }

    private BooleanSupplier deadline() {
        long endNs = clock.getAsLong() + MAX_READ_NS;
        return () -> clock.getAsLong() - endNs >= 0;
    }

    private static boolean isRedactable(BundleSource source) {
        return source.isRegular() && Contents.of(source.path()).isEmpty() && Contents.isText(source.path());
    }

    private void add(BundleSource source, ZipOutputStream zip) throws IOException {
        Optional<Contents> kind = Contents.of(source.path());
        if (!source.isRegular()) {
            leaveOut(source, "not a regular file");
        } else if (kind.isPresent() && included.contains(kind.orElseThrow())) {
            addAsItIs(source, zip);
        } else if (kind.isPresent()) {
            leaveOut(
                    source,
                    "cannot be redacted; --include " + kind.orElseThrow().label() + " adds it");
        } else if (OWN.contains(source.path())) {
            leaveOut(source, "the bundle has a document of this name");
        } else if (source.path().equals(REPORT)) {
            leaveOut(source, "the command 'report' writes it from the other files");
        } else if (isRedactable(source)) {
            addRedacted(source, zip);
        } else {
            leaveOut(source, "not a text that can be redacted");
        }
    }

    private void addRedacted(BundleSource source, ZipOutputStream zip) throws IOException {
        String path = redactor.redact(source.path());
        zip.putNextEntry(new ZipEntry(path));
        String damage;
        if (source.isCompressed()) {
            GZIPOutputStream compressed = new GZIPOutputStream(zip);
            damage = copy(source, compressed);
            compressed.finish();
        } else {
            damage = copy(source, zip);
        }
        zip.closeEntry();
        files.add(new BundleManifest.Entry(path, source.bytes(), damage));
    }

    private String copy(BundleSource source, OutputStream out) throws IOException {
        redactor.begin(redactor.redact(source.path()));
        String missing = source.redact(redactor, out, Objects.requireNonNull(learnt.get(source.path())));
        if (redactor.suspects() == 0) {
            return missing;
        }
        return (missing.isEmpty() ? "" : missing + "; ") + redactor.suspects() + SUSPECTS;
    }

    private void addAsItIs(BundleSource source, ZipOutputStream zip) throws IOException {
        String path = redactor.redact(source.path());
        zip.putNextEntry(new ZipEntry(path));
        try (InputStream in = source.open()) {
            in.transferTo(zip);
        }
        zip.closeEntry();
        notRedacted.add(new BundleManifest.Entry(path, source.bytes(), ""));
    }

    private void leaveOut(BundleSource source, String reason) {
        leftOut.add(new BundleManifest.Entry(redactor.redact(source.path()), source.bytes(), reason));
    }

    private void document(ZipOutputStream zip, String name, Object value) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write((redactor.redact(Json.pretty(value)) + '\n').getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
    }

    private BundleManifest manifest() {
        return new BundleManifest(
                Instant.now().toString(),
                versions,
                files,
                notRedacted,
                leftOut,
                redactor.counts(),
                redactor.replacements());
    }

    private List<String> toCheck() {
        return lines(files.stream().filter(each -> !each.note().isEmpty()).toList());
    }

    private static List<String> lines(List<BundleManifest.Entry> entries) {
        return entries.stream()
                .map(entry -> entry.file() + (entry.note().isEmpty() ? "" : ": " + entry.note()))
                .toList();
    }
}
