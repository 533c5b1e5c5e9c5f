package org.naklab.lab.records;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Headroom;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.ProcessNames;
import org.naklab.lab.core.safepoint.SafepointTable;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.records.latency.CustomersRecord;
import org.naklab.lab.records.latency.StaleQuotesRecord;
import org.naklab.lab.records.memory.EvictionRecord;
import org.naklab.lab.records.memory.PageFaultRecord;

/**
 * {@code run.json}: the document of {@code --json}, what it rests on, and what one needs to run it again. A key that an older version
 * did not write is {@code null} or empty.
 */
public record RunRecord(
        @JsonUnwrapped RunDocument document,
        @JsonUnwrapped Course course,
        @JsonUnwrapped Judged judged,
        @JsonUnwrapped Reported reported,
        @JsonUnwrapped Origin origin,
        @JsonUnwrapped Used used,
        @JsonUnwrapped Served served) {
    /**
     * Tells when the run was, and why its verdict is not pass.
     *
     * @param reason why the verdict is not pass; {@code null}: it is, or the record does not tell
     * @param startedUtc ISO 8601 with milliseconds
     * @param epochOffsetNs what to add to a time of the timeline for nanoseconds since 1970; {@code null}: not known
     * @param counted from the end of the warm-up to the end of the flow, on the clock of the timeline; {@code null}: not known
     */
    public record Course(
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String reason,

            @Nullable String startedUtc,
            @Nullable Long epochOffsetNs,
            long elapsedMs,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Interval counted) {}

    /**
     * Contains what was judged.
     *
     * @param conditions what the scenario predicted, held against the run
     * @param troubles what kept the run from its end, or could not be written, each one line
     */
    public record Judged(List<Condition> conditions, List<String> troubles) {
        public Judged {
            conditions = Absent.orNone(conditions);
            troubles = Absent.orNone(troubles);
        }
    }

    /**
     * Contains what the processes and the instruments reported.
     *
     * @param exchange {@code null} if it exited without a final report
     * @param subscribers those that gave a final report
     * @param outsideFaults what became of the faults that the lab itself ran, by their ids
     * @param instruments what looked at the run; {@code null}: not known
     * @param journal {@code null} when there was none to verify
     */
    public record Reported(
            @Nullable ExchangeRecord exchange,
            List<SubscriberRecord> subscribers,
            List<Socket> sockets,
            Map<String, FaultRecord> outsideFaults,
            @Nullable InstrumentsRecord instruments,
            @Nullable JournalRecord journal) {
        public Reported {
            subscribers = Absent.orNone(subscribers);
            sockets = Absent.orNone(sockets);
            outsideFaults = Absent.orNone(outsideFaults);
        }
    }

    /**
     * Contains what one needs to run it again, and what it told.
     *
     * @param plan everything that decides the run; {@code null}: not known
     * @param story the findings in lines for people
     * @param replay the command that runs it again; {@code null}: not known
     * @param environment where it ran; {@code null}: not known
     * @param arguments of the command line, without credentials
     */
    public record Origin(
            @Nullable PlanRecord plan,
            List<String> story,
            @Nullable String replay,
            @Nullable EnvironmentRecord environment,
            List<String> arguments) {
        public Origin {
            story = Absent.orNone(story);
            arguments = Absent.orNone(arguments);
        }
    }

    /**
     * Contains what became of memory and other resources.
     *
     * @param pageFaults of 1 ms and more of the receipt threads, by their begin; of very many, the longest
     * @param memory when pages began to be evicted; {@code null}: they were not, or the record does not tell
     * @param resources what the processes held at the beginning and at the end; empty if the scenario does not ask for it
     */
    public record Used(
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<PageFaultRecord> pageFaults,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            EvictionRecord memory,

            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ResourceRecord> resources) {
        public Used {
            pageFaults = Absent.orNone(pageFaults);
            resources = Absent.orNone(resources);
        }
    }

    /**
     * Contains what the customers saw.
     *
     * @param staleQuotes {@code null}: there was no complete journal with times
     * @param safepoints of the subject process by operation, the warm-up included; {@code null}: JFR did not observe it
     * @param customers of each process that served some
     * @param customersFaults what became of the faults of the process of the customers, by their ids
     */
    public record Served(
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            StaleQuotesRecord staleQuotes,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            List<SafepointTable.Row> safepoints,

            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<CustomersRecord> customers,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, FaultRecord> customersFaults) {
        public Served {
            customers = Absent.orNone(customers);
            customersFaults = Absent.orNone(customersFaults);
        }
    }

    /** Name of the file in a run's directory. */
    public static final String NAME = "run.json";

    /** A prediction of the scenario: the claim, its verdict, and the figures that support the verdict. */
    public record Condition(String claim, String verdict, String figures) {
        public Condition {
            claim = Absent.orEmpty(claim);
            verdict = Absent.orEmpty(verdict);
            figures = Absent.orEmpty(figures);
        }
    }

    /**
     * The readings of a UDP socket.
     *
     * @param process that owns it; {@code "?"} when it was gone before it could be asked
     * @param maxDepthBytes deepest receive queue seen, by the kernel's accounting
     * @param drops datagrams dropped while it was watched
     * @param headroom how long its buffer lasts, and how long its reader stood still, the warm-up included; {@code null}: not known
     */
    public record Socket(
            String process,
            String localAddress,
            int port,
            long maxDepthBytes,
            long drops,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Headroom headroom) {
        public Socket {
            process = Absent.orEmpty(process);
            localAddress = Absent.orEmpty(localAddress);
        }
    }

    /** Returns true if this is the record of a watch: nothing was predicted, and no process is the lab's own. */
    @JsonIgnore
    public boolean isOfWatch() {
        return document.runCase().scenario().equals(RunCase.WATCH);
    }

    /** Returns the name of the process that the diagnosis is about: the service of a run, or the watched process. */
    public String subjectProcess() {
        return isOfWatch()
                ? reported.sockets().stream().map(Socket::process).findFirst().orElse(ProcessNames.SERVICE)
                : ProcessNames.SERVICE;
    }

    /** Returns the record of a run that came to no verdict, as it will be read. */
    public static RunRecord of(UnfinishedRecord unfinished) {
        return Json.value(Json.tree(unfinished, JsonNode.class), RunRecord.class);
    }

    /** Returns the market data service's final report; empty when it ended without one. */
    public Optional<SubscriberRecord> service() {
        return reported.subscribers().stream()
                .filter(SubscriberRecord::servesData)
                .findFirst();
    }
}
