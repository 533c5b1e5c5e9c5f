package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Bad input of all kinds: one line that says what to do, an exit code that a script can tell from a verdict, and no name of a Java class. In the
 * commands, DIR is an empty directory, FILE an empty file, NONE a path that does not exist, and TAKEN a TCP port that another socket has.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class AttackListTest {
    private static final Pattern CLASS_NAME = Pattern.compile(
            "java\\.|picocli|org\\.naklab|Exception|\\[[A-Z]+, |\\bnull\\b|\\.\\.\\*|is not an? (?:long|int)\\b");

    @TempDir
    private Path directory;

    private ServerSocket taken;

    @BeforeEach
    void prepare() throws IOException {
        taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Files.createDirectory(directory.resolve("dir"));
        Files.createFile(directory.resolve("file"));
    }

    @AfterEach
    void freePort() throws IOException {
        taken.close();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
                    rnu                                        | 64 | naklab has no command 'rnu'; did you mean run?
                    runn                                       | 64 | did you mean run?
                    wathc 1                                    | 64 | did you mean watch?
                    help rnu                                   | 64 | did you mean run?
                    help history comapre                       | 64 | did you mean compare?
                    journal verfy DIR                          | 64 | naklab journal has no command 'verfy'; did you mean verify?
                    simulate strom                             | 64 | did you mean storm?
                    bench nosuch                               | 64 | naklab bench has no command 'nosuch'; there are:
                    doctor --tunning                           | 64 | unknown option: '--tunning'; did you mean --tuning?
                    list one                                   | 64 | one argument too many: 'one'
                    run mistery                                | 64 | no scenario 'mistery'; did you mean mystery?
                    run moonlight                              | 64 | no scenario 'moonlight'; there are: baseline
                    run mystery --remedy bindnow               | 64 | 'bindnow' is none of the remedies; did you mean bind-now?
                    run mystery --fidelity simulatd            | 64 | --fidelity: 'simulatd' is not one of its values; did you mean simulated?
                    run baseline --profile aeorn               | 64 | --profile: 'aeorn' is not one of its values; did you mean aeron?
                    run baseline --profile tcp                 | 64 | there are: lbtrm, aeron
                    run baseline --idle spinn                  | 64 | did you mean spin?
                    run baseline --observe ful                 | 64 | did you mean full?
                    run baseline --seed x                      | 64 | --seed: 'x' is not a whole number
                    run baseline --fault slow-callbck          | 64 | did you mean slow-callback?
                    run baseline --until nack                  | 64 | 'nack' is none of
                    run baseline --duration 10min              | 64 | '10min' is not a number
                    run baseline --rate 1e3                    | 64 | '1e3' is not a whole number
                    run baseline --port 80                     | 64 | must be from 1024
                    run baseline --plan NONE                   | 66 | no such file
                    run baseline --plan DIR                    | 66 | DIR
                    run baseline --source NONE                 | 66 | no such file
                    run baseline --source FILE                 | 66 | FILE
                    run baseline --runs FILE                   | 66 | --runs names another place
                    run baseline --runs FILE/below             | 66 | --runs names another place
                    run baseline --runs /proc/none             | 66 | --runs names another place
                    run baseline --junit NONE/a.xml --runs DIR   | 66 | cannot write NONE/a.xml: NONE: no such file or directory
                    run baseline --junit DIR --runs DIR        | 66 | DIR is a link, a directory or a device: name another file
                    run baseline --junit FILE/a.xml --runs DIR | 66 | cannot write FILE/a.xml: FILE is no directory
                    run baseline --junit /proc/a.xml --runs DIR | 66 | cannot write /proc/a.xml
                    run mystery --remedy all --html FILE/a.html --runs DIR | 66 | cannot write FILE/a.html: FILE is no directory
                    run baseline --until nak --junit NONE      | 64 | --until cannot be combined with --junit
                    run baseline --until nak --quiet           | 64 | --until cannot be combined with --quiet
                    run baseline --serve=TAKEN --runs DIR      | 69 | --serve: cannot listen on port TAKEN of 127.0.0.1
                    confusion --html FILE/a.html --runs DIR    | 66 | cannot write FILE/a.html
                    tune --experiment pages --html FILE/a.html | 66 | cannot write FILE/a.html
                    jitter --html FILE/a.html                  | 66 | cannot write FILE/a.html
                    bench buffers --html FILE/a.html           | 66 | cannot write FILE/a.html
                    bench buffers --rates 5000 --stalls 20ms --svg FILE/a.svg | 66 | cannot write FILE/a.svg: FILE is no directory
                    simulate storm --receivers 10 --svg FILE/a.svg | 66 | cannot write FILE/a.svg: FILE is no directory
                    libprof --html FILE/a.html -- true         | 66 | cannot write FILE/a.html
                    run baseline --rate 100000000 --duration 720h --runs DIR | 69 | and it may write 60,3
                    run baseline --interface nosuch0 --runs DIR | 66 | no network interface nosuch0
                    tune --experiment pags                     | 64 | no experiment 'pags'; did you mean pages?
                    tune --experiment nosuch                   | 64 | no experiment 'nosuch'; there are: pages
                    tune jurnal                                | 64 | no scenario and no benchmark 'jurnal'
                    jitter --experiment nosuch                 | 64 | 'nosuch' is none of the experiments
                    jitter --duration 1s --rounds 3            | 64 | --rounds is for a comparison; give --arm, --experiment or several JDKs
                    jitter --duration 0                        | 64 | --duration
                    confusion --cause slow-calback              | 64 | did you mean slow-callback?
                    confusion foreign --only sigstpo           | 64 | there is no disturbance 'sigstpo'
                    watch abc                                  | 64 | PID: 'abc' is not a whole number; --name abc takes processes by their name
                    watch 0                                    | 64 | PID: must be at least 1
                    watch --name a(                            | 64 | 'a(' is not a regular expression: Unclosed group
                    watch 2147483647                           | 66 | no process 2147483647
                    watch --name a --while 2147483647          | 66 | no process 2147483647 for --while
                    watch --name nosuchprogram --metrics 127.0.0.1:TAKEN | 69 | TAKEN
                    watch --name nosuchprogram --serve=TAKEN   | 69 | --serve: cannot listen on port TAKEN of 127.0.0.1
                    inject 2147483647 process-pause            | 66 | 2147483647
                    inject baseline slow-callback:delay=5ms    | 66 | no run named 'baseline' is under way
                    inject receiver process-pause              | 66 | no run named 'receiver' is under way
                    inject DIR process-pause                   | 66 | is under way on this machine
                    inject 1 network-loss:percent=1            | 64 | network-loss acts on containers, and '1' is the id of a process
                    faults list                                | 64 | no kind of fault is named list
                    history --runs NONE                        | 66 | no history yet
                    runs --runs NONE                           | 66 | no history yet
                    faults --active stall                      | 64 | --active takes no kind
                    history compare a b --runs DIR             | 66 | no run 'a'
                    report nosuch --runs DIR                   | 66 | no run 'nosuch'
                    open --runs DIR                            | 66 | no run in DIR yet; 'naklab run' makes one
                    bundle nosuch --runs DIR                   | 66 | no run 'nosuch'
                    diagnose nosuch --runs DIR                 | 66 | no run 'nosuch'
                    case keep nosuch --as x --runs DIR         | 66 | no run 'nosuch'
                    prune --runs NONE                          | 66 | there is no such directory
                    bundle DIR --no-doctor -o FILE             | 64 | FILE exists already and is not overwritten
                    bundle DIR --no-doctor -o FILE/a.zip       | 66 | cannot write FILE/a.zip: FILE is no directory
                    bundle DIR --no-doctor -o NONE/a.zip       | 66 | cannot write NONE/a.zip: NONE
                    serve --port TAKEN --runs DIR              | 69 | cannot serve on port TAKEN of 127.0.0.1
                    serve --act --port TAKEN --runs DIR        | 69 | cannot serve on port TAKEN of 127.0.0.1
                    serve --runs NONE                          | 66 | no directory of runs
                    journal verify NONE                        | 66 | NONE
                    journal verify DIR                         | 66 | is not a journal
                    books NONE                                 | 66 | no such file
                    books FILE --event 3                       | 64 | --event needs --draw
                    bindings NONE                              | 66 | No such file or directory
                    libprof -- nosuchprogram                   | 66 | cannot start nosuchprogram
                    completion tcsh                            | 64 | SHELL: 'tcsh' is not one of its values; there are: bash, zsh, fish
                    """)
    void shouldAnswerWithOneLineAndTheRightCode(String line, int exitCode, String expected) {
        CommandLineRun run = CommandLineRun.of(
                Arrays.stream(line.strip().split(" +")).map(this::withPaths).toArray(String[]::new));
        assertThat(run.err().lines()).as(run.err()).hasSize(1);
        assertThat(run.err()).startsWith("naklab: ").contains(withPaths(expected));
        assertThat(run.err()).doesNotContainPattern(CLASS_NAME);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
        assertThat(run.out()).isEmpty();
    }

    private String withPaths(String text) {
        return text.replace("DIR", directory.resolve("dir").toString())
                .replace("FILE", directory.resolve("file").toString())
                .replace("NONE", directory.resolve("none").toString())
                .replace("TAKEN", String.valueOf(taken.getLocalPort()));
    }
}
