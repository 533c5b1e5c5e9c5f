package org.naklab.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class FaultPlanTest {
    private static final String JSON = """
            {"seed":42,"faults":[
              {"kind":"stall","on":"mds","when":{"afterMs":500,"phaseOfSecondMs":0},"forMs":1000,
               "parameters":{"thread":"mds-context","stallMs":150}},
              {"id":"loss","kind":"datagram-loss","on":"gateway-*","when":{"trigger":"warm"},
               "parameters":{"select":{"direction":"inbound","gaps":[{"first":10,"count":3}]}}}]}
            """;

    @Test
    void shouldReadWhatItWrites() {
        FaultPlan plan = FaultPlan.fromJson(JSON);

        assertThat(FaultPlan.fromJson(plan.toJson())).isEqualTo(plan);
        assertThat(plan.seed()).isEqualTo(42);
        assertThat(plan.faults()).extracting(FaultSpec::id).containsExactly("stall", "loss");
        assertThat(plan.faults().get(0).when()).isEqualTo(new When(null, 500, 0));
        assertThat(plan.faults().get(1).forMs()).isEqualTo(FaultSpec.DEFAULT_FOR_MS);
    }

    @Test
    void shouldAcceptTheParametersOfEveryKindInAPlan() {
        FaultKinds.onClassPath().check(FaultPlan.fromJson(JSON));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"faults":[{"kind":"stall","parameters":{"thread":"t","stallMs":0}}]}       | stallMs must be from 1 to 10000: 0
                    {"faults":[{"kind":"stall","parameters":{"stallMs":5}}]}                    | thread is missing
                    {"faults":[{"kind":"stall","parameters":{"thread":"t","stallMs":5,"stallms":5}}]}       | stallms
                    {"faults":[{"kind":"stall","forMs":-1}]}                                    | forMs must be from 1 to 3600000: -1
                    {"faults":[{"kind":"stal"}]}                                                | no kind of fault is named stal; did you mean stall?
                    {"faults":[{"kind":"moonlight"}]}                                           | no kind of fault is named moonlight; there are: cpu-contention, datagram-delay
                    {"faults":[{"kind":"stall","parameters":{"thread":"t","stalMs":5}}]}        | stall has no parameter 'stalMs'; did you mean stallMs?
                    {"faults":[{"kind":"datagram-loss","parameters":{"select":{"probabilty":0.5}}}]} | select has no parameter 'probabilty'; did you mean probability?
                    {"faults":[{"kind":"datagram-loss","parameters":{"select":{"gaps":[{"frist":1,"count":1}]}}}]} | gaps has no parameter 'frist'; did you mean first?
                    {"fault":[]}                                                                | the plan has no field 'fault'; did you mean faults?
                    {"faults":[{"kind":"stall","foMs":5}]}                                      | faults has no field 'foMs'; did you mean forMs?
                    {"faults":[{"kind":"stall","when":{"afterMS":5}}]}                          | when has no field 'afterMS'; did you mean afterMs?
                    []                                                                          | fault plan: it is no JSON object
                    {"faults":[{"on":"mds"}]}                                                   | a fault needs a kind
                    {"faults":[{"kind":"stall"},{"kind":"stall"}]}                              | two faults of the plan have the id stall
                    {"faults":[{"kind":"stall","when":{"phaseOfSecondMs":1000}}]}               | phaseOfSecondMs must be from 0 to 999
                    {"faults":[{"kind":"datagram-loss","parameters":{}}]}                       | select is missing
                    {"faults":[{"kind":"datagram-loss","parameters":{"select":{}}}]}            | either probability or gaps
                    {"faults":[{"kind":"memory-pressure","parameters":{"limitMib":1,"residentMib":2}}]} | residentMib must be from 0 to 1: 2
                    {"faults":[]} x                                                             | fault plan
                    """)
    void shouldRefuseWithAClearLine(String json, String message) {
        assertThatThrownBy(() -> FaultKinds.onClassPath().check(FaultPlan.fromJson(json)))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining(message);
    }

    @Test
    void shouldGiveEachFaultInEachProcessASeedOfItsOwn() {
        long seed = FaultPlan.seedOf(42, "loss", "gateway-1");

        assertThat(FaultPlan.seedOf(42, "loss", "gateway-1")).isEqualTo(seed);
        assertThat(FaultPlan.seedOf(42, "loss", "gateway-2")).isNotEqualTo(seed);
        assertThat(FaultPlan.seedOf(42, "loss-2", "gateway-1")).isNotEqualTo(seed);
        assertThat(FaultPlan.seedOf(43, "loss", "gateway-1")).isNotEqualTo(seed);
    }
}
