package org.naklab.lab.scenarios.soak;

import java.util.Arrays;
import java.util.List;
import org.naklab.faults.datagram.DatagramDelayFault;
import org.naklab.faults.datagram.DatagramDuplicationFault;
import org.naklab.faults.datagram.DatagramLossFault;
import org.naklab.faults.datagram.DatagramReorderingFault;
import org.naklab.faults.datagram.DatagramSeam;
import org.naklab.faults.datagram.Direction;
import org.naklab.faults.datagram.Selection;
import org.naklab.faults.datagram.Traffic;
import org.naklab.faults.host.CpuContentionFault;
import org.naklab.faults.host.DiskReadsFault;
import org.naklab.faults.host.IpcStormFault;
import org.naklab.faults.host.MachineStallFault;
import org.naklab.faults.host.MemoryPressureFault;
import org.naklab.faults.host.SoftirqStormFault;
import org.naklab.faults.kind.GcPauseFault;
import org.naklab.faults.kind.LazyBindingFault;
import org.naklab.faults.kind.PageEvictionFault;
import org.naklab.faults.kind.ProcessKillFault;
import org.naklab.faults.kind.ProcessPauseFault;
import org.naklab.faults.kind.RateLimitYieldFault;
import org.naklab.faults.kind.SafepointPauseFault;
import org.naklab.faults.kind.SlowCallbackFault;
import org.naklab.faults.kind.SlowJournalFault;
import org.naklab.faults.kind.StallFault;
import org.naklab.faults.kind.TrafficBurstFault;
import org.naklab.lab.replica.exchange.ExchangeFaults;
import org.naklab.lab.replica.service.ServiceFaults;
import org.naklab.lab.scenarios.AddedFaults;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.messaging.MessagingContext;

/**
 * The kinds of faults in a soak, each with its targets and the bounds of what it does there. All that they cost can be repaired: none lasts
 * longer than the transport keeps what it sent.
 */
enum SoakFault {
    LAZY_BINDING("lazy-binding", Targets.SERVICE, 3_500, 3_500) {
        @Override
        Record parameters(Dice dice, String target) {
            return new LazyBindingFault.Parameters(ServiceFaults.CONTEXT_YIELDER, 0);
        }
    },
    RATE_LIMIT_YIELD("rate-limit-yield", Targets.SERVICE, 3_000, 4_000) {
        @Override
        Record parameters(Dice dice, String target) {
            return new RateLimitYieldFault.Parameters(
                    ServiceFaults.SNAPSHOT_LOCKS, null, dice.roll(1, 3), Bounds.WHOLE_SECOND_MS, dice.roll(20, 60));
        }
    },
    STALL("stall", Targets.SUBSCRIBERS, 1_000, 1_000) {
        @Override
        Record parameters(Dice dice, String target) {
            return new StallFault.Parameters(ServiceFaults.DUTY_CYCLE, dice.roll(20, 300), 1);
        }
    },
    SLOW_CALLBACK("slow-callback", Targets.SUBSCRIBERS, 1_000, 3_000) {
        @Override
        Record parameters(Dice dice, String target) {
            return new SlowCallbackFault.Parameters(
                    ServiceFaults.FEED_CALLBACK,
                    dice.roll(100, 2_000),
                    dice.roll(5, 100) / Bounds.PERCENT,
                    dice.roll(50, 500));
        }
    },
    SLOW_JOURNAL("slow-journal", Targets.SERVICE, 1_000, 3_000) {
        @Override
        Record parameters(Dice dice, String target) {
            return new SlowJournalFault.Parameters(
                    dice.roll(500, 5_000), dice.roll(5, 100) / Bounds.PERCENT, dice.roll(20, 200));
        }
    },
    CPU_CONTENTION("cpu-contention", Targets.REPLICA, 600, 1_500) {
        @Override
        Record parameters(Dice dice, String target) {
            return new CpuContentionFault.Parameters(
                    MessagingContext.threadName(target), dice.roll(1, 2), false, Bounds.LEAST_RUN_DELAY_MS);
        }
    },
    MEMORY_PRESSURE("memory-pressure", Targets.SERVICE, 1_500, 2_500) {
        @Override
        Record parameters(Dice dice, String target) {
            int residentMib = dice.roll(16, 64);
            int pageCacheMib = dice.roll(16, 64);
            return new MemoryPressureFault.Parameters(residentMib, pageCacheMib, residentMib + pageCacheMib, null);
        }
    },
    DISK_READS("disk-reads", Targets.SERVICE, 500, 2_000) {
        @Override
        Record parameters(Dice dice, String target) {
            return new DiskReadsFault.Parameters("/var/tmp", 0, dice.roll(1, 3));
        }
    },
    GC_PAUSE("gc-pause", Targets.INSIDE, 500, 500) {
        @Override
        Record parameters(Dice dice, String target) {
            return new GcPauseFault.Parameters(dice.roll(4, 32), dice.roll(1, 2));
        }
    },
    SAFEPOINT_PAUSE("safepoint-pause", Targets.GATEWAY, 1_000, 1_000) {
        @Override
        Record parameters(Dice dice, String target) {
            return new SafepointPauseFault.Parameters(dice.roll(20, 150), 1);
        }
    },
    PAGE_EVICTION("page-eviction", Targets.SUBSCRIBERS, 500, 500) {
        @Override
        Record parameters(Dice dice, String target) {
            return new PageEvictionFault.Parameters();
        }
    },
    TRAFFIC_BURST("traffic-burst", Targets.EXCHANGE, 3_000, 3_000) {
        @Override
        Record parameters(Dice dice, String target) {
            return new TrafficBurstFault.Parameters(ExchangeFaults.FEED_PACER, dice.roll(500, 5_000), dice.roll(2, 10));
        }
    },
    DATAGRAM_LOSS("datagram-loss", Targets.INSIDE, 1_000, 3_000) {
        @Override
        Record parameters(Dice dice, String target) {
            return new DatagramLossFault.Parameters(
                    DatagramSeam.NAME, atMost(Bounds.MOST_LOST, some(dice.roll(1, 5), target)));
        }
    },
    DATAGRAM_DUPLICATION("datagram-duplication", Targets.INSIDE, 1_000, 3_000) {
        @Override
        Record parameters(Dice dice, String target) {
            return new DatagramDuplicationFault.Parameters(DatagramSeam.NAME, some(dice.roll(1, 10), target));
        }
    },
    DATAGRAM_REORDERING("datagram-reordering", Targets.INSIDE, 1_000, 3_000) {
        @Override
        Record parameters(Dice dice, String target) {
            return new DatagramReorderingFault.Parameters(
                    DatagramSeam.NAME, some(dice.roll(1, 5), target), dice.roll(1, 8), dice.roll(5, 20));
        }
    },
    DATAGRAM_DELAY("datagram-delay", Targets.INSIDE, 1_000, 3_000) {
        @Override
        Record parameters(Dice dice, String target) {
            return new DatagramDelayFault.Parameters(
                    DatagramSeam.NAME, some(dice.roll(1, 20), target), dice.roll(200, 5_000), dice.roll(0, 2_000));
        }
    },
    PROCESS_PAUSE("process-pause", Targets.REPLICA, 50, 400) {
        @Override
        Record parameters(Dice dice, String target) {
            return new ProcessPauseFault.Parameters();
        }
    },
    MACHINE_STALL("machine-stall", Targets.LAB, 1_000, 1_000) {
        @Override
        Record parameters(Dice dice, String target) {
            return new MachineStallFault.Parameters(dice.roll(30, 150));
        }
    },
    IPC_STORM("ipc-storm", Targets.LAB, 500, 1_500) {
        @Override
        Record parameters(Dice dice, String target) {
            return new IpcStormFault.Parameters(dice.roll(1, 8), 0);
        }
    },
    SOFTIRQ_STORM("softirq-storm", Targets.SERVICE, 2_000, 3_000) {
        @Override
        Record parameters(Dice dice, String target) {
            return new SoftirqStormFault.Parameters(MessagingContext.threadName(target), dice.roll(5, 40), 1, 0);
        }
    },
    PROCESS_KILL(Soak.KILL, Targets.VICTIM, 500, 500) {
        @Override
        Record parameters(Dice dice, String target) {
            return new ProcessKillFault.Parameters();
        }
    };

    /** Draws a whole number between two bounds, both included. */
    interface Dice {
        int roll(int least, int most);
    }

    /** Groups of targets. */
    private enum Targets {
        SERVICE,
        GATEWAY,
        EXCHANGE,
        LAB,
        VICTIM,
        SUBSCRIBERS,
        /** Processes with seams for faults, without the victim: its proofs would end with it. */
        INSIDE,
        /** What acts from outside can act on the victim too. */
        REPLICA;

        List<String> names() {
            return switch (this) {
                case SERVICE -> List.of(Deployment.SERVICE);
                case GATEWAY -> List.of(Deployment.GATEWAY);
                case EXCHANGE -> List.of(Deployment.EXCHANGE);
                case LAB -> List.of(AddedFaults.LAB);
                case VICTIM -> List.of(Soak.VICTIM);
                case SUBSCRIBERS -> List.of(Deployment.SERVICE, Deployment.GATEWAY);
                case INSIDE -> List.of(Deployment.SERVICE, Deployment.GATEWAY, Deployment.EXCHANGE);
                case REPLICA -> List.of(Deployment.SERVICE, Deployment.GATEWAY, Deployment.EXCHANGE, Soak.VICTIM);
            };
        }
    }

    /** Constants of the parameters. */
    private static final class Bounds {
        static final double PERCENT = 100;
        /** A hit of the rate limit counts at any time. */
        static final int WHOLE_SECOND_MS = 1_000;

        static final long LEAST_RUN_DELAY_MS = 5;

        /**
         * Datagrams that one fault loses. A receiver asks for one gap at a time, after a back-off of 25 to 75 ms: hundreds of gaps at once
         * take longer to repair than the sender keeps the data.
         */
        static final int MOST_LOST = 20;
    }

    private final String kind;
    private final Targets targets;
    private final int leastForMs;
    private final int mostForMs;

    SoakFault(String kind, Targets targets, int leastForMs, int mostForMs) {
        this.kind = kind;
        this.targets = targets;
        this.leastForMs = leastForMs;
        this.mostForMs = mostForMs;
    }

    /** Draws the parameters of a fault on a target. */
    abstract Record parameters(Dice dice, String target);

    String kind() {
        return kind;
    }

    List<String> targets() {
        return targets.names();
    }

    /** Draws how long a fault stays armed, ms. */
    int drawForMs(Dice dice) {
        return dice.roll(leastForMs, mostForMs);
    }

    /** Returns those that can strike again and again. */
    static List<SoakFault> repeatable() {
        return Arrays.stream(values())
                .filter(each -> each != LAZY_BINDING && each != PROCESS_KILL)
                .toList();
    }

    private static Selection atMost(int max, Selection selection) {
        return new Selection(
                selection.direction(),
                selection.traffic(),
                selection.streamId(),
                selection.probability(),
                selection.gaps(),
                max);
    }

    /** Each datagram of the feed with a probability, on its way out of the exchange or into a subscriber. */
    private static Selection some(int percent, String target) {
        Direction direction = target.equals(Deployment.EXCHANGE) ? Direction.OUTBOUND : Direction.INBOUND;
        return Selection.random(direction, Traffic.DATA, percent / Bounds.PERCENT);
    }
}
