package org.naklab.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.testing.Await;

@Timeout(60)
class FaultControllerTest {
    private final RecordingKind kind = new RecordingKind();
    private final ManualClock clock = new ManualClock();
    private final FaultController controller =
            new FaultController(new FaultSite("mds"), FaultKinds.of(List.of(kind)), clock);

    @AfterEach
    void close() {
        controller.close();
    }

    private static FaultSpec spec(String id, When when, long forMs) {
        return new FaultSpec(id, "recording", "mds", when, forMs, null);
    }

    private void load(FaultSpec... specs) {
        controller.load(FaultPlan.of(42, specs));
    }

    @Test
    void shouldArmAndDisarmInTime() {
        load(spec("a", When.afterMs(100), 50));
        controller.start();

        assertThat(controller.poll()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(100));
        assertThat(kind.calls).isEmpty();
        clock.advanceMs(100);
        assertThat(controller.poll()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(50));
        assertThat(controller.isArmed("a")).isTrue();
        clock.advanceMs(50);
        controller.poll();
        assertThat(kind.calls).containsExactly("arm a", "disarm a");
        assertThat(controller.proof("a").fired()).isTrue();
    }

    @Test
    void shouldSayWhatCannotBeUndoneAndGoOnWithTheOthers() {
        kind.lasting.add("a");
        load(spec("a", When.afterMs(0), 50), spec("b", When.afterMs(0), 50), spec("c", When.afterMs(200), 50));
        controller.start();
        controller.poll();
        clock.advanceMs(50);
        controller.poll();
        assertThat(controller.left()).containsExactly(entry("a", "could not be undone: it does not end"));
        assertThat(kind.calls).containsExactly("arm a", "arm b", "disarm a", "disarm b");
        clock.advanceMs(150);
        controller.poll();
        assertThat(kind.calls).endsWith("arm c");

        kind.lasting.clear();
        controller.disarm("a");
        assertThat(controller.left()).isEmpty();
    }

    @Test
    void shouldSayThatAFaultIsArmedBeyondItsTime() {
        load(spec("a", When.afterMs(0), 50));
        controller.start();
        controller.poll();
        clock.advanceMs(1_000);
        assertThat(controller.left()).isEmpty();
        clock.advanceMs(2_000);
        assertThat(controller.left()).containsExactly(entry("a", "still armed 2950 ms after its end"));
        controller.poll();
        assertThat(controller.left()).isEmpty();
    }

    @Test
    void shouldStayArmedForItsTimeHoweverLongTheArmingTakes() {
        Fault slow = new Fault() {
            @Override
            public void arm() {
                clock.advanceMs(3_000);
            }

            @Override
            public void disarm() {}

            @Override
            public FaultProof proof() {
                return FaultProof.notFired("slow");
            }
        };
        controller.add(spec("a", When.afterMs(0), 50), slow);
        controller.start();

        assertThat(controller.poll()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(50));
        assertThat(controller.isArmed("a")).isTrue();
        clock.advanceMs(50);
        controller.poll();
        assertThat(controller.isArmed("a")).isFalse();
    }

    /** Such as that of a container, which takes seconds: what else happens must not wait for it. */
    @Test
    void shouldAnswerWhileAFaultIsBeingArmed() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Fault slow = new Fault() {
            @Override
            public void arm() {
                begun.countDown();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    throw new FaultException("interrupted");
                }
            }

            @Override
            public void disarm() {
                kind.calls.add("disarm slow");
            }

            @Override
            public FaultProof proof() {
                return FaultProof.notFired("slow");
            }
        };
        load(spec("waiting", When.onTrigger("flow"), 50));
        controller.add(spec("slow", When.afterMs(0), 50), slow);
        controller.start();
        CompletableFuture<Long> poll = CompletableFuture.supplyAsync(controller::poll);
        begun.await();

        controller.trigger("flow");
        assertThat(controller.state("slow"))
                .isEqualTo(new FaultState(
                        FaultState.Phase.WAITING, FaultProof.notFired("not armed yet: it is being armed")));
        assertThat(controller.proofs()).containsOnlyKeys("waiting", "slow");
        clock.advanceMs(5_000);
        assertThat(controller.left()).as("it is not armed beyond its time").isEmpty();
        CompletableFuture<FaultProof> disarmed = CompletableFuture.supplyAsync(() -> controller.disarm("slow"));
        assertThat(disarmed).isNotDone();

        end.countDown();
        assertThat(poll.get()).as("what was triggered meanwhile is due").isZero();
        assertThat(disarmed.get()).isEqualTo(FaultProof.notFired("slow"));
        assertThat(controller.isArmed("slow")).isFalse();
        assertThat(kind.calls).contains("disarm slow");
    }

    @Test
    void shouldDoNothingBeforeTheStart() {
        load(spec("a", When.afterMs(0), 50));
        clock.advanceMs(1_000);
        controller.poll();

        assertThat(kind.calls).isEmpty();
        assertThat(controller.proof("a")).isEqualTo(FaultProof.notFired("not armed: the plan has not been started"));
    }

    @Test
    void shouldWaitForTheSecondBoundary() {
        load(spec("a", When.atSecondBoundary(100), 50));
        controller.start();

        assertThat(controller.poll()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(750));
    }

    @Test
    void shouldWaitForItsTrigger() {
        load(spec("a", When.onTrigger("warm"), 50));
        controller.start();
        controller.trigger("something else");
        controller.poll();
        assertThat(controller.proof("a").explanation()).isEqualTo("not armed: nothing has triggered warm");

        controller.trigger("warm");
        controller.poll();

        assertThat(controller.isArmed("a")).isTrue();
    }

    @Test
    void shouldLeaveTheFaultsOfOtherProcessesAlone() {
        load(new FaultSpec("a", "recording", "gateway-*", null, 0, null));
        controller.start();
        controller.poll();

        assertThat(controller.proofs()).isEmpty();
    }

    @Test
    void shouldAddAndRemoveWhileRunning() {
        controller.start();
        assertThat(controller.add(spec("a", When.AT_START, 50))).isTrue();
        controller.poll();
        assertThat(controller.isArmed("a")).isTrue();

        assertThat(controller.remove("a").fired()).isTrue();
        assertThat(controller.add(spec("a", When.AT_START, 50))).isTrue();
        controller.poll();

        assertThat(kind.calls).containsExactly("arm a", "disarm a", "arm a");
    }

    @Test
    void shouldDisarmAllWhenClosed() {
        load(spec("a", When.AT_START, 50), spec("b", When.AT_START, 50));
        controller.start();
        controller.poll();
        controller.close();

        assertThat(kind.calls).containsExactly("arm a", "arm b", "disarm a", "disarm b");
    }

    @Test
    void shouldSayWhyAFaultCouldNotBeArmed() {
        load(FaultSpec.of("recording", "mds", new RecordingKind.Parameters("needs CAP_SYS_NICE")));
        controller.start();
        controller.poll();

        assertThat(controller.proof("recording"))
                .isEqualTo(FaultProof.notFired("could not be armed: needs CAP_SYS_NICE"));
        assertThat(kind.calls).containsExactly("arm recording", "disarm recording");
    }

    @Test
    void shouldGiveTheSameSeedsForTheSamePlan() {
        load(spec("a", When.AT_START, 50), spec("b", When.AT_START, 50));
        RecordingKind again = new RecordingKind();
        try (FaultController other = new FaultController(new FaultSite("mds"), FaultKinds.of(List.of(again)), clock)) {
            other.load(FaultPlan.of(42, spec("b", When.AT_START, 50), spec("a", When.AT_START, 50)));
        }

        assertThat(again.seeds).containsExactlyInAnyOrderElementsOf(kind.seeds).doesNotHaveDuplicates();
    }

    @Test
    void shouldRefuseTheSameIdTwice() {
        controller.add(spec("a", When.AT_START, 50));

        assertThatThrownBy(() -> controller.add(spec("a", When.AT_START, 50)))
                .isInstanceOf(FaultException.class)
                .hasMessage("mds has a fault of the id a already");
    }

    @Test
    void shouldObeyLinesOfText() {
        FaultCommands commands = new FaultCommands(controller);

        assertThat(commands.execute("plan {\"seed\":1,\"faults\":[{\"id\":\"a\",\"kind\":\"recording\"}]}"))
                .isEqualTo("{\"ok\":true}");
        assertThat(commands.execute("start")).isEqualTo("{\"ok\":true}");
        controller.poll();
        assertThat(FaultCommands.proofsIn(commands.execute("proofs")))
                .isEqualTo(controller.proofs())
                .containsKey("a");
        assertThat(commands.execute("disarm b"))
                .isEqualTo("{\"ok\":false,\"error\":\"mds has no fault of the id b; it has [a]\"}");
        assertThat(commands.execute("dance")).contains("unknown fault command: dance");
    }

    @Test
    void shouldBeDrivenByItsRunner() {
        try (FaultRunner runner = FaultRunner.launch(
                new FaultController(new FaultSite("mds"), FaultKinds.of(List.of(kind)), FaultClock.system()))) {
            runner.controller().start();
            runner.controller().add(spec("a", When.AT_START, 5));
            Await.until(
                    "disarmed",
                    () -> runner.controller().proof("a").fired()
                            && !runner.controller().isArmed("a"));
        }
        assertThat(kind.calls).startsWith("arm a", "disarm a");
    }
}
