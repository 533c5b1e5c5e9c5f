package org.naklab.lab.scenarios;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * One lie about a run that passes: it breaks exactly what one claim stands for.
 *
 * @param lie what is wrong with the run, a few words
 * @param where the runs that can have it
 * @param change makes it so; takes the process or the like that the condition is about
 */
record Mutation(Claim claim, String lie, Predicate<RunPlan> where, BiConsumer<Draft, String> change) {
    static Mutation of(Claim claim, String lie, BiConsumer<Draft, String> change) {
        return new Mutation(claim, lie, plan -> true, change);
    }

    static Mutation of(Claim claim, String lie, Consumer<Draft> change) {
        return of(claim, lie, (draft, about) -> change.accept(draft));
    }

    Mutation where(Predicate<RunPlan> runs) {
        return new Mutation(claim, lie, runs, change);
    }

    /** The run as it would have been. */
    RunOutcome of(RunOutcome passing, String about) {
        Draft draft = new Draft(passing);
        change.accept(draft, about);
        return draft.outcome();
    }

    @Override
    public String toString() {
        return claim.name() + ": " + lie;
    }
}
