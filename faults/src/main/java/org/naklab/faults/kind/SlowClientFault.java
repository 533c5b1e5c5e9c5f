package org.naklab.faults.kind;

import com.google.auto.service.AutoService;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.Limits;
import org.naklab.faults.ProofLog;
import org.naklab.faults.Required;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;
import org.naklab.faults.seam.ClientReads;

/** Slow clients: some clients of a server read slowly over TCP, or stop to read. */
@AutoService(FaultKind.class)
public final class SlowClientFault implements FaultKind {
    private static final int MAX_CLIENTS = 10_000;
    private static final int MAX_BYTES_PER_SECOND = 1_000_000;
    private static final int USUAL_BYTES_PER_SECOND = 1_000;

    /**
     * As in a plan.
     *
     * @param server name of the {@link ClientReads}: the process that serves the clients
     * @param clients that become slow, from 1 to 10,000
     * @param bytesPerSecond that each reads, from 0 to 1,000,000; 0: it stops to read; {@code null}: 1,000
     */
    public record Parameters(
            String server, int clients, @Nullable Integer bytesPerSecond) {
        public Parameters {
            Required.text("server", server);
            Limits.within("clients", clients, 1, MAX_CLIENTS);
            bytesPerSecond = bytesPerSecond == null ? USUAL_BYTES_PER_SECOND : bytesPerSecond;
            Limits.within("bytesPerSecond", bytesPerSecond, 0, MAX_BYTES_PER_SECOND);
        }

        private int rate() {
            return bytesPerSecond == null ? USUAL_BYTES_PER_SECOND : bytesPerSecond;
        }
    }

    @Override
    public String name() {
        return "slow-client";
    }

    @Override
    public Class<Parameters> parameterType() {
        return Parameters.class;
    }

    @Override
    public FaultDescription description() {
        return FaultDescription.of("Some clients of a server read slowly over TCP, or stop to read")
                .on("customers")
                .with(
                        FaultParameter.text("server", "the process that serves the clients")
                                .inReplica("gateway-1"),
                        FaultParameter.count("clients", 1, MAX_CLIENTS, "clients that become slow"),
                        FaultParameter.count(
                                        "bytesPerSecond",
                                        0,
                                        MAX_BYTES_PER_SECOND,
                                        "that each reads; with 0 it stops to read")
                                .orElse("1000"))
                .proof("all of these clients are behind one that reads freely, or the server has disconnected them")
                .example("slow-client:clients=1,bytesPerSecond=0");
    }

    @Override
    public Fault create(FaultSpec spec, FaultSite site, long seed) {
        Parameters parameters = spec.parametersAs(Parameters.class);
        return new Slow(
                parameters, site.seam(ClientReads.class, parameters.server()).clients());
    }

    private static final class Slow implements Fault {
        private final Parameters parameters;
        private final ClientReads.Clients clients;
        private final ProofLog log = new ProofLog();
        private long armedNs;
        private ClientReads.@Nullable SlowReaders slow;
        private boolean isOver;

        Slow(Parameters parameters, ClientReads.Clients clients) {
            this.parameters = parameters;
            this.clients = clients;
        }

        @Override
        public synchronized void arm() {
            armedNs = System.nanoTime();
            slow = clients.slowDown(parameters.clients(), parameters.rate());
        }

        @Override
        public synchronized void disarm() {
            ClientReads.SlowReaders readers = slow;
            if (!isOver && readers != null) {
                look(readers);
                readers.release();
            }
            isOver = true;
        }

        /** Fires once, when the last of the clients is behind. */
        private void look(ClientReads.SlowReaders readers) {
            ClientReads.Behind behind = readers.behind();
            log.set("behindClients", behind.clients());
            log.set("disconnectedClients", behind.disconnected());
            log.set("behindMessages", Math.max(log.figure("behindMessages"), behind.mostMessages()));
            log.set("slowClients", readers.clients());
            boolean isSlow = readers.clients() == parameters.clients() && behind.clients() == parameters.clients();
            if (log.firings() == 0 && isSlow) {
                log.fired(armedNs, System.nanoTime(), readers.clients() + " clients of " + parameters.server());
            }
        }

        @Override
        public synchronized FaultProof proof() {
            ClientReads.SlowReaders readers = slow;
            if (readers != null && !isOver) {
                look(readers);
            }
            long slowed = log.figure("slowClients");
            return log.proof(
                    slowed + " clients of " + parameters.server() + " fell behind by up to "
                            + log.figure("behindMessages") + " messages, and " + log.figure("disconnectedClients")
                            + " of them were disconnected",
                    slowed < parameters.clients()
                            ? "only " + slowed + " of " + parameters.clients() + " clients could be made slow"
                            : log.figure("behindClients") + " of " + slowed + " clients fell behind");
        }
    }
}
