package org.naklab.faults;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;

/** Whatever is given as a plan, it is one, or it is refused with a {@link FaultException}; a plan that is taken can be written and read. */
final class FaultPlanFuzzTest {
    @FuzzTest(maxDuration = "4s")
    void shouldBeTheSamePlanReadAgainOrBeRefused(@NotNull String json) {
        FaultPlan plan;
        try {
            plan = FaultPlan.fromJson(json);
        } catch (FaultException e) {
            return;
        }
        if (!FaultPlan.fromJson(plan.toJson()).equals(plan)) {
            throw new AssertionError("written and read again, it is another plan: " + plan);
        }
    }
}
