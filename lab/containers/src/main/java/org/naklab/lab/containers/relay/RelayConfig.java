package org.naklab.lab.containers.relay;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

/**
 * The impairments that a relay applies to its datagrams.
 *
 * @param device the tap that they come by
 * @param seed of its random choices
 */
public record RelayConfig(
        String device,
        @JsonUnwrapped Held held,
        @JsonUnwrapped Shares shares,
        long seed) {
    /**
     * Describes what is held back.
     *
     * @param delayNs that each waits
     * @param heldBackShare part, 0 to 1, that waits for {@code holdNs} besides and so comes behind later ones
     */
    public record Held(long delayNs, double heldBackShare, long holdNs) {}

    /**
     * Contains the shares that are changed, 0 to 1.
     *
     * @param duplicatedShare part, 0 to 1, that comes twice
     * @param corruptedShare part, 0 to 1, with one bit of the payload flipped under an unchanged checksum
     * @param lostShare part, 0 to 1, that disappears
     */
    public record Shares(double duplicatedShare, double corruptedShare, double lostShare) {}

    /** Returns the configuration of a relay that forwards every datagram unchanged. */
    public static RelayConfig through(String device, long seed) {
        return new RelayConfig(device, new RelayConfig.Held(0, 0, 0), new RelayConfig.Shares(0, 0, 0), seed);
    }

    public RelayConfig delaying(long newDelayNs) {
        return new RelayConfig(
                device, new RelayConfig.Held(newDelayNs, held.heldBackShare(), held.holdNs()), shares, seed);
    }

    public RelayConfig holdingBack(double share, long newHoldNs) {
        return new RelayConfig(device, new RelayConfig.Held(held.delayNs(), share, newHoldNs), shares, seed);
    }

    public RelayConfig duplicating(double share) {
        return new RelayConfig(
                device, held, new RelayConfig.Shares(share, shares.corruptedShare(), shares.lostShare()), seed);
    }

    public RelayConfig corrupting(double share) {
        return new RelayConfig(
                device, held, new RelayConfig.Shares(shares.duplicatedShare(), share, shares.lostShare()), seed);
    }

    public RelayConfig losing(double share) {
        return new RelayConfig(
                device, held, new RelayConfig.Shares(shares.duplicatedShare(), shares.corruptedShare(), share), seed);
    }
}
