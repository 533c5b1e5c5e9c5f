package org.naklab.faults.notation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultKinds;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.When;

@Timeout(60)
final class FaultNotationTest {
    private static final Set<String> EVENTS = Set.of("flow", "stall");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    slow-callback:delay=150ms                      | {"delayUs":150000,"callback":"OrderBookEvents"}
                    slow-callback:delayUs=150                      | {"delayUs":150,"callback":"OrderBookEvents"}
                    slow-callback:delayUs=0.5s                     | {"delayUs":500000,"callback":"OrderBookEvents"}
                    slow-callback:delay=1s,probability=5%          | {"delayUs":1000000,"probability":0.05,"callback":"OrderBookEvents"}
                    gc-pause:live=1GiB                             | {"liveMib":1024}
                    gc-pause                                       | {}
                    cpu-contention:realTime=true                   | {"realTime":true,"thread":"mds-context"}
                    datagram-loss:probability=0.5                  | {"select":{"probability":0.5}}
                    datagram-loss:select.probability=0.5,max=3     | {"select":{"probability":0.5,"max":3}}
                    datagram-loss:gaps=500+50/900+1                | {"select":{"gaps":[{"first":500,"count":50},{"first":900,"count":1}]}}
                    datagram-loss:probability=1,traffic=nak/status | {"select":{"probability":1,"traffic":["nak","status"]}}
                    disk-reads:directory=/a@b/c                    | {"directory":"/a@b/c"}
                    """)
    void shouldReadParametersWithUnits(String text, String parameters) {
        assertThat(parse(text).parameters()).hasToString(parameters);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
                    gc-pause                             | -     | 0    | -
                    gc-pause@+3s                         | -     | 3000 | -
                    gc-pause:live=1MiB@+1.5s             | -     | 1500 | -
                    gc-pause@second-boundary             | -     | 0    | 0
                    gc-pause@second-boundary+400ms       | -     | 0    | 400
                    gc-pause@+3s@second-boundary         | -     | 3000 | 0
                    gc-pause@stall                       | stall | 0    | -
                    gc-pause@stall+20ms@second-boundary  | stall | 20   | 0
                    """)
    void shouldReadWhen(String text, String trigger, long afterMs, Integer phaseMs) {
        assertThat(parse(text).when()).isEqualTo(new When(trigger, afterMs, phaseMs));
    }

    @Test
    void shouldReadTargetLengthAndId() {
        FaultSpec spec = parse("process-pause:on=gateway-1,for=2s,id=mine@+1s");

        assertThat(spec.on()).isEqualTo("gateway-1");
        assertThat(spec.forMs()).isEqualTo(2_000);
        assertThat(spec.id()).isEqualTo("mine");
        assertThat(parse("process-pause").id()).isEqualTo("usual");
        assertThat(parse("process-pause").on()).isEqualTo("mds");
        assertThat(parse("machine-stall:stall=150ms").on()).isEqualTo("lab");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    slow-callback:delay=150                | delay: '150' has no unit; write 150ms or 2s
                    slow-callback:delay=5ns                | delay: '5ns' is not a whole number of us
                    slow-callback:delay=fastms             | delay: 'fastms' is not a number
                    slow-callback:delay=2s                 | delayUs must be from 1 to 1000000: 2000000
                    slow-callback:delai=1ms                | slow-callback has no parameter 'delai'; did you mean delay?
                    slow-callback:delay                    | 'delay' is not name=value
                    slow-callback:delay=1ms,delayUs=1      | 'delayUs' is given twice
                    slow-callback                          | slow-callback needs delay, such as in slow-callback:delay=150ms
                    slow-callback:delay=1ms,probability=x  | probability: 'x' is not a number
                    slow-callback:delay=1ms,probability=2  | probability must be from 0 to 1
                    slow-callback:delay=1ms,maxCalls=many  | maxCalls: 'many' is not a whole number
                    gc-pause:live=64                       | live: '64' has no unit; write 64MiB or 1GiB
                    gc-pause:for=3                         | for: '3' has no unit
                    gc-pause:for=2h                        | for must be from 1 to 3600000
                    gc-pause@3s                            | '@3s' is neither a time, such as @+3s, nor an event
                    gc-pause@+3                            | '3' has no unit
                    gc-pause@stal                          | '@stal' is neither a time, such as @+3s, nor an event; did you mean stall?
                    gc-pause@stall@flow                    | a fault waits for one event: 'stall' or 'flow'
                    gc-pause@second-boundary+1s            | phaseOfSecondMs must be from 0 to 999
                    cpu-contention:realTime=yes            | realTime: 'yes' is neither true nor false
                    datagram-loss                          | select
                    datagram-loss:gaps=5                   | gaps: '5' is not FIRST+COUNT, such as 500+50
                    datagram-loss:probability=1,traffic=x  | datagram-loss
                    """)
    void shouldRefuseByName(String text, String message) {
        assertThatThrownBy(() -> parse(text)).isInstanceOf(FaultException.class).hasMessageContaining(message);
        assertThatThrownBy(() -> parse(text)).message().startsWith(FaultNotation.kindOf(text));
    }

    private static FaultSpec parse(String text) {
        return FaultNotation.parse(text, FaultKinds.onClassPath().named(FaultNotation.kindOf(text)), "usual", EVENTS);
    }
}
