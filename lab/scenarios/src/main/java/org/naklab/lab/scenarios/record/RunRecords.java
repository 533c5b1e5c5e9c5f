package org.naklab.lab.scenarios.record;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.kind.PageEvictionFault;
import org.naklab.journaler.Verification;
import org.naklab.lab.cases.RunEnvironment;
import org.naklab.lab.core.Units;
import org.naklab.lab.instruments.sampling.SamplerStatistics;
import org.naklab.lab.process.ProcessEvent;
import org.naklab.lab.records.FaultRecord;
import org.naklab.lab.records.InstrumentsRecord;
import org.naklab.lab.records.JournalRecord;
import org.naklab.lab.records.RunRecord;
import org.naklab.lab.records.StartRecord;
import org.naklab.lab.records.latency.StaleQuotesRecord;
import org.naklab.lab.records.memory.EvictionRecord;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.InstrumentCoverage;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.SocketReading;
import org.naklab.lab.scenarios.Verdict;

/** Makes the records of a run: of its beginning, and of its end. */
final class RunRecords {
    private static final String EVICTION = new PageEvictionFault().name();

    private RunRecords() {}

    /** Returns what is known before a run begins. */
    static StartRecord start(RunPlan plan, String version, List<String> arguments) {
        return new StartRecord(
                RunDocuments.caseOf(plan),
                plan.directory().toString(),
                new RunDirectory(plan.directory()).startedUtc(),
                PlanRecords.of(plan),
                ReplayCommandLine.command(plan),
                RunEnvironment.describe(version),
                arguments);
    }

    /** Returns the record of a run that came to its end. */
    static RunRecord end(RunResult result, StartRecord start, @Nullable StaleQuotesRecord staleQuotes) {
        RunOutcome outcome = result.outcome();
        return new RunRecord(
                RunDocuments.of(result),
                new RunRecord.Course(
                        reason(result).orElse(null),
                        start.startedUtc(),
                        outcome.epochOffsetNs(),
                        outcome.elapsedNs() / Units.MS_NS,
                        outcome.counted()),
                new RunRecord.Judged(
                        result.conditions().stream().map(RunRecords::condition).toList(),
                        Stream.concat(outcome.troubles().stream(), outcome.observation().unkept().stream())
                                .toList()),
                new RunRecord.Reported(
                        outcome.exchange() == null ? null : outcome.exchange().kept(),
                        outcome.subscribers().stream()
                                .map(report -> report.subscriber().kept())
                                .toList(),
                        outcome.sockets().stream().map(RunRecords::socket).toList(),
                        FaultRecord.kept(outcome.outsideFaults()),
                        instruments(outcome.observation()),
                        journal(outcome.journal())),
                new RunRecord.Origin(
                        PlanRecords.of(outcome.plan()),
                        result.story().stream()
                                .flatMap(line -> line.lines().stream())
                                .toList(),
                        ReplayCommandLine.command(outcome.plan()),
                        start.environment(),
                        start.arguments()),
                new RunRecord.Used(outcome.pageFaults(), eviction(outcome), ResourceRecords.of(outcome.inspection())),
                new RunRecord.Served(
                        staleQuotes,
                        outcome.observation().safepoints(),
                        CustomersRecords.of(outcome),
                        outcome.customers() == null
                                ? Map.of()
                                : FaultRecord.kept(outcome.customers().faults())));
    }

    /**
     * Returns when the fault of evicting pages first struck, or when the memory of a squeezed control group was first used up, from which on the kernel evicts; {@code null} if neither happened.
     */
    private static @Nullable EvictionRecord eviction(RunOutcome outcome) {
        LongStream struck = outcome.faults().entrySet().stream()
                .filter(fault -> fault.getKey().contains(EVICTION))
                .flatMap(fault -> fault.getValue().proof().firings().stream())
                .mapToLong(FaultRecord.Firing::beginNs);
        LongStream narrowed = outcome.subscribers().stream()
                .flatMap(each -> outcome.events(each.name(), ProcessEvent.MemoryNarrowed.class).stream())
                .mapToLong(ProcessEvent.MemoryNarrowed::evictionBeganNs);
        OptionalLong first = LongStream.concat(struck, narrowed).min();
        if (first.isEmpty()) {
            return null;
        }
        long beganNs = first.getAsLong();
        return new EvictionRecord(
                beganNs,
                outcome.stalls().stream()
                        .map(stall -> EvictionRecord.Since.of(stall.process(), stall.thread(), stall.atNs(), beganNs))
                        .toList());
    }

    /** Returns the reason why the verdict is not pass: the failure that ended the run, or the first prediction that does not hold. */
    private static Optional<String> reason(RunResult result) {
        if (result.verdict() == Verdict.PASS) {
            return Optional.empty();
        }
        Optional<String> trouble = result.outcome().troubles().stream().findFirst();
        return trouble.or(() -> result.conditions().stream()
                .filter(condition -> condition.verdict() == result.verdict())
                .map(condition -> condition.claim() + ": " + condition.figures())
                .findFirst());
    }

    private static RunRecord.Condition condition(Expectation condition) {
        return new RunRecord.Condition(condition.claim(), condition.verdict().label(), condition.figures());
    }

    private static RunRecord.Socket socket(SocketReading socket) {
        return new RunRecord.Socket(
                socket.process(),
                socket.localAddress(),
                socket.port(),
                socket.maxDepthBytes(),
                socket.drops(),
                socket.headroom());
    }

    private static InstrumentsRecord instruments(InstrumentCoverage observation) {
        SamplerStatistics sampler = observation.sampler();
        return new InstrumentsRecord(
                observation.sight().reading(),
                observation.sight().blind(),
                new InstrumentsRecord.Sampler(
                        sampler.ticks(),
                        sampler.missedTicks(),
                        sampler.maxLatenessNs(),
                        sampler.cpuShare(),
                        observation.lostSamples()),
                observation.sight().unseenSockets().stream().sorted().toList());
    }

    private static @Nullable JournalRecord journal(@Nullable Verification journal) {
        return journal == null
                ? null
                : new JournalRecord(
                        journal.journal().toUri().toString(),
                        new JournalRecord.Content(journal.events(), journal.firstSequence(), journal.lastSequence()),
                        new JournalRecord.Errors(
                                journal.gaps(),
                                journal.missing(),
                                journal.duplicates(),
                                journal.reordered(),
                                journal.unreadable(),
                                journal.afterTrailer(),
                                journal.entryBegun()),
                        new JournalRecord.Trailer(
                                journal.trailerSeen(),
                                journal.trailerCount(),
                                journal.digest(),
                                journal.trailerDigest()),
                        new JournalRecord.Identity(journal.formatVersion(), journal.feedId(), journal.expectedFeedId()),
                        new JournalRecord.Damage(journal.damaged(), journal.timestampsFallen(), journal.unaccounted()),
                        new JournalRecord.State(journal.isEmpty(), journal.isIntact()));
    }
}
