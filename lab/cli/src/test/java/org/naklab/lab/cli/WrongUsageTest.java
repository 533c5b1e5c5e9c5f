package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class WrongUsageTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    frobnicate                              | frobnicate
                    run                                     | SCENARIO
                    run nosuch                              | no scenario 'nosuch'; there are: baseline, cpu-preemption
                    run baseline --frequency 5              | --frequency
                    run baseline --rate 0                   | --rate
                    run baseline --rate -1                  | --rate
                    run baseline --rate NaN                 | 'NaN' is not a whole number
                    run baseline --rate 1e3                 | '1e3' is not a whole number
                    run baseline --rate 99999999999999999   | --rate
                    run baseline --duration 0               | --duration
                    run baseline --duration NaN             | 'NaN' is not a number
                    run baseline --duration 1e99            | more than thirty days
                    run baseline --duration 800h            | more than thirty days
                    run baseline --duration 10min           | '10min' is not a number
                    run baseline --duration ms              | '' is not a number
                    run baseline --repeat 0                 | --repeat
                    run baseline --seed x                   | --seed
                    run baseline --pin mds-nosuch=0         | no thread mds-nosuch to bind; there are: exchange-context, mds-context
                    run baseline --pin mds-context=4000     | no CPU 4000; this process may use
                    run baseline --pin mds-context          | no THREAD=CPU
                    run baseline --max 12h                  | need --until
                    run baseline --until moonlight          | 'moonlight' is none of nak, fail and 'stall>100ms'
                    run baseline --until stall>5ms          | stalls of 20ms and more
                    run baseline --until nak --repeat 2     | --until cannot be combined with --repeat
                    run mystery --until nak --remedy all    | --until cannot be combined with --remedy all
                    run baseline --until nak --keep-disk 5  | '5' has no unit: 500MB or 5GB
                    history --table run                     | --table needs --csv
                    history --csv - | --csv - needs --table
                    history --csv d --table naks            | 'naks' is none of the tables
                    history --csv d --json                  | --csv cannot be combined with --json
                    heisenberg nothing                      | no scenario 'nothing'; see 'naklab list'
                    heisenberg baseline more                | 'more' is too much: a program with its arguments comes behind '--'
                    heisenberg baseline --margin 0          | --margin is between 0 and 100 percentage points
                    heisenberg baseline --margin NaN        | --margin is between 0 and 100 percentage points
                    heisenberg baseline --fidelity natural  | baseline cannot be run with fidelity natural
                    heisenberg baseline --keep-disk 5       | '5' has no unit: 500MB or 5GB
                    heisenberg --rate 5 -- sh               | are no options of a program
                    run baseline --port 80                  | must be from 1024 to 65534, not 80
                    run baseline --port 65535               | --port
                    run baseline --profile tcp              | --profile
                    simulate repair                         | --receivers
                    simulate repair --receivers 200000      | from 1 to 100000, not 200000
                    simulate repair --receivers 2 --loss 2  | must be from 0 to 1, or in percent, not 2
                    simulate repair --receivers 2 --slow 3  | --slow 3 is more than --receivers 2
                    simulate repair --receivers 2 --stall 1s | add --slow 1
                    simulate repair --receivers 9 --rate 9 --duration 1ms | come to 0 datagrams
                    bench repair --receivers 65             | larger groups: naklab simulate repair
                    run baseline --remedy prayer            | 'prayer' is none of
                    run baseline --remedy bind-now          | cannot be run with remedy bind-now
                    run baseline --fidelity natural         | cannot be run with fidelity natural
                    run baseline --speed 2                  | --speed needs --source
                    run baseline --source f --speed 0       | --speed
                    run baseline --source f --instruments 2 | --instruments is for synthetic flow
                    run baseline --source f --speed 1 --rate 5 | mutually exclusive
                    run baseline --stall 50ms               | injects no stall
                    run mystery --fidelity none             | fidelity audited or simulated
                    run mystery --fidelity simulated --remedy bind-now  | fidelity simulated binds none
                    run mystery --fidelity simulated --remedy pre-touch | fidelity simulated binds none
                    run mystery --remedy hope               | 'hope' is none of
                    run mystery --stall 150                 | '150' has no unit
                    run mystery --stall 5ms                 | must be from 30ms to 2s
                    run mystery --stall 3s                  | must be from 30ms to 2s
                    run mystery --stall NaNms               | 'NaN' is not a number
                    run mystery --rate max                  | needs a known rate
                    run mystery --rate-limiting application | --remedy application-rate-limit
                    run mystery --arrival bursty            | needs a constant rate
                    run mystery --rate 20                   | --rate at least 427
                    run mystery --rate 9000000 --remedy bigger-buffer | --rate at most
                    run baseline --project p                | --project needs --attach
                    run baseline --attach --interface lo    | a composition has its own network
                    run process-paused --attach             | acts on processes of this machine from outside
                    run baseline --fault slow-callbck       | no kind of fault is named slow-callbck; did you mean slow-callback?
                    run baseline --fault slow-callback      | slow-callback needs delay, such as in slow-callback:delay=150ms
                    run baseline --fault slow-callback:delay=150   | slow-callback: delay: '150' has no unit; write 150ms or 2s
                    run baseline --fault slow-callback:dellay=1ms  | slow-callback has no parameter 'dellay'; did you mean delay?
                    run baseline --fault slow-callback:delay=9s    | delayUs must be from 1 to 1000000: 9000000
                    run baseline --fault gc-pause@3s        | '@3s' is neither a time, such as @+3s, nor an event
                    run baseline --fault gc-pause@stal      | did you mean stall?
                    run baseline --fault gc-pause@+30s      | would be armed 32.0 s after the flow has begun, which lasts 10.0 s
                    run baseline --fault network-loss:percent=1  | network-loss needs on=PROCESS
                    run baseline --fault network-loss:percent=1,on=mds | network-loss is a fault of a container, and the processes of this run are on this machine: use --attach
                    run baseline --fault gc-pause:id=a --fault stall:stall=1ms,id=a | two faults of the plan have the id a
                    faults slow-callbck                     | no kind of fault is named slow-callbck; did you mean slow-callback?
                    inject                                  | TARGET
                    inject 1                                | FAULT
                    inject 1 process-puase                  | no kind of fault is named process-puase; did you mean process-pause?
                    inject 1 process-pause:for=3            | for: '3' has no unit
                    inject 1 process-pause@stall            | '@stall' is neither a time, such as @+3s, nor an event
                    inject 1 process-pause:on=mdss          | on=mdss selects a process of a run
                    inject 1 network-loss:percent=1         | network-loss acts on containers
                    inject 1 gc-pause                       | gc-pause acts inside a process of the lab
                    serve --port 80                         | must be from 1024
                    books                                   | FILE
                    books f --levels 0                      | --levels
                    journal                                 | verify, dump or export
                    journal verify                          | DIR
                    journal dump d --from 0                 | --from
                    journal export d                        | --csv or --surveillance is needed
                    watch                                   | PID
                    watch 0                                 | must be at least 1
                    watch init                              | 'init' is not a whole number
                    watch 1 --duration 0                    | --duration
                    watch 1 --metrics 9464                  | '9464' is not HOST:PORT, such as 127.0.0.1:9464
                    watch 1 --serve=x                       | 'x' is not HOST:PORT
                    watch 1 --serve=70000                   | the port must be from 0 to 65535, not 70000
                    watch --serve                           | PID
                    run baseline --serve=                   | '' is not HOST:PORT
                    watch 1 --metrics localhost:70000       | the port must be from 0 to 65535, not 70000
                    bundle r --include videos               | 'videos' is none of the kinds; there are: journals, heap-dumps, jfr, pcap, perf
                    watch 1 --name receiver                 | --name
                    watch 1 --aeron-dir d                   | --aeron-dir
                    watch --name x --aeron-dir d            | --aeron-dir
                    watch --name (                          | --name
                    watch 1 --windows 2                     | need --record
                    watch 1 --exec true                     | need --record
                    confusion --cause moonlight             | no scenario injects the cause 'moonlight'
                    confusion --pairs --cause clean         | omit --cause
                    soak --duration 5s                      | a soak lasts at least 15 s
                    soak --rate max                         | 'max' is not a whole number
                    confusion --only sigstop                | unknown option: '--only'
                    confusion foreign --cause clean         | unknown option: '--cause'
                    confusion foreign --only moonlight      | there is no disturbance 'moonlight'; there are: checksum-errors
                    confusion foreign --loads full          | 'full' is not a load; there are: none, busy
                    bench observer --rounds 0               | --rounds
                    completion tcsh                         | tcsh
                    prune --keep 0                          | --keep
                    run baseline --retry -1                 | --retry
                    bindings                                | required parameter
                    bindings --all                          | required parameter
                    libprof                                 | name a program, or a process: naklab libprof -- COMMAND
                    libprof --attach 1 -- true              | name a program, or a process
                    libprof --attach 0                      | --attach
                    libprof --for 1s -- true                | --function, --for and --limit go with --attach
                    run lock-convoy --remedy bind-now       | cannot be run with remedy bind-now
                    libprof --top 0 -- true                 | --top
                    help nosuch                             | has no command 'nosuch'; there are: run, list
                    help run nosuch                         | naklab run has no command 'nosuch'
                    """)
    void shouldAnswerWrongUsageWithOneLineAndExit64(String line, String expected) {
        CommandLineRun run = CommandLineRun.of(line.strip().split(" +"));
        assertThat(run.exitCode()).isEqualTo(64);
        assertThat(run.errLines()).hasSize(1);
        assertThat(run.err()).startsWith("naklab: ").contains(expected).contains("--help'");
        assertThat(run.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"faults":[{"kind":"datagram-loss","parameters":{"select":{"probabilty":1}}}]} | select has no parameter 'probabilty'; did you mean probability?
                    {"faults":[{"kind":"stall","parameters":{"stalMs":1}}]}                         | stall has no parameter 'stalMs'; did you mean stallMs?
                    {"faults":[{"kind":"gc-pause","when":{"trigger":"moonrise"}}]}                  | nothing triggers 'moonrise'; there are: flow
                    """)
    void shouldRefuseAPlanByName(String plan, String expected, @TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("plan.json"), plan);
        CommandLineRun run = CommandLineRun.of("run", "baseline", "--plan", file.toString());
        assertThat(run.exitCode()).isEqualTo(64);
        assertThat(run.errLines()).hasSize(1);
        assertThat(run.err()).contains("--plan " + file + ": ").contains(expected);
    }

    @Test
    void shouldSuggestWhatMayHaveBeenMeant() {
        assertThat(CommandLineRun.of("runn").err()).contains("did you mean");
    }
}
