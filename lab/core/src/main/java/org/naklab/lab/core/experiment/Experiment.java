package org.naklab.lab.core.experiment;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongUnaryOperator;

/**
 * Runs arms with consecutive seeds, makes a trial that is in doubt again, and ends when its rules say so. An experiment defines its arms, a
 * {@link Runner} and the {@link Rules}; trials are independent of each other, so that a runner may execute them elsewhere.
 *
 * @param <A> the type of the arms
 * @param <R> the type of the results
 */
public final class Experiment<A, R> {
    /** The largest number of runs for one arm and seed, unless an experiment has a limit of its own. */
    public static final int ATTEMPTS = 3;

    private final Order order;
    private final Runner<A, R> runner;
    private final Rules<A, R> rules;
    private final BooleanSupplier isCancelled;

    /** In which order the trials follow each other. */
    public enum Order {
        /** Each arm has all of its seeds before the next arm begins. */
        ARM_BY_ARM,
        /** Each seed has all arms before the next seed begins, every time with another arm first: a slow change of the machine affects all arms alike. */
        IN_TURNS
    }

    /** Executes trials. */
    @FunctionalInterface
    public interface Runner<A, R> {
        /** Executes a trial and waits for its end. */
        R run(A arm, long seed) throws InterruptedException;
    }

    /** Decides what is run, and takes the results; all methods are called by the thread that runs the experiment. */
    @FunctionalInterface
    public interface Rules<A, R> {
        /** Returns whether the arm is run with the next seed. */
        default boolean isOpen(A arm) {
            return true;
        }

        /** Returns whether the result can show nothing about the arm, and the trial should be made again. */
        default boolean isInDoubt(A arm, R result) {
            return false;
        }

        /** Waits until the machine is fit for the next attempt of a trial that was in doubt. */
        default void awaitMachine() throws InterruptedException {}

        /** Takes a trial that has ended. */
        void onTrial(Trial<A, R> trial) throws InterruptedException;

        /** Takes note that all open arms have run with a seed; called {@link Order#IN_TURNS} only. */
        default void onRound() {}
    }

    /**
     * Creates an experiment that has not run yet.
     *
     * @param isCancelled whether the user has asked for the end; no trial begins afterwards
     */
    public Experiment(Order order, Runner<A, R> runner, Rules<A, R> rules, BooleanSupplier isCancelled) {
        this.order = order;
        this.runner = runner;
        this.rules = rules;
        this.isCancelled = isCancelled;
    }

    /**
     * Runs until no arm is open or each has had all of its seeds.
     *
     * @param arms in the order of the first seed
     * @param seeds number of seeds for each arm
     */
    public void run(List<A> arms, long firstSeed, long seeds) throws InterruptedException {
        run(arms, seeds, i -> firstSeed + i);
    }

    /**
     * Runs until no arm is open or each has had all of its seeds, in the order of the list.
     *
     * @param arms in the order of the first seed
     */
    public void run(List<A> arms, List<Long> seeds) throws InterruptedException {
        run(arms, seeds.size(), i -> seeds.get(Math.toIntExact(i)));
    }

    private void run(List<A> arms, long seeds, LongUnaryOperator seedAt) throws InterruptedException {
        if (order == Order.ARM_BY_ARM) {
            for (A arm : arms) {
                for (long i = 0; i < seeds && isOpen(arm); i++) {
                    attempt(arm, seedAt.applyAsLong(i));
                }
            }
            return;
        }
        for (long i = 0; i < seeds; i++) {
            List<A> open = arms.stream().filter(this::isOpen).toList();
            if (open.isEmpty()) {
                return;
            }
            for (int turn = 0; turn < open.size(); turn++) {
                attempt(open.get((int) ((i + turn) % open.size())), seedAt.applyAsLong(i));
            }
            rules.onRound();
        }
    }

    private boolean isOpen(A arm) {
        return !isCancelled.getAsBoolean() && rules.isOpen(arm);
    }

    private void attempt(A arm, long seed) throws InterruptedException {
        boolean isCounted = false;
        for (int attempt = 1; !isCounted && !isCancelled.getAsBoolean(); attempt++) {
            if (attempt > 1) {
                rules.awaitMachine();
            }
            R result = runner.run(arm, seed);
            isCounted = attempt == ATTEMPTS || isCancelled.getAsBoolean() || !rules.isInDoubt(arm, result);
            rules.onTrial(new Trial<>(arm, seed, attempt, result, isCounted));
        }
    }
}
