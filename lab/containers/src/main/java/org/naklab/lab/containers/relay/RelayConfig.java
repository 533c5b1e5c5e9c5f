package org.naklab.lab.containers.relay;

/**
 * The impairments that a relay applies to its datagrams.
 *
 * @param device the tap that they come by
 * @param delayNs that each waits
 * @param heldBackShare part, 0 to 1, that waits for {@code holdNs} besides and so comes behind later ones
 * @param duplicatedShare part, 0 to 1, that comes twice
 * @param corruptedShare part, 0 to 1, with one bit of the payload flipped under an unchanged checksum
 * @param lostShare part, 0 to 1, that disappears
 * @param seed of its random choices
 */
public record RelayConfig(
        String device,
        long delayNs,
        double heldBackShare,
        long holdNs,
        double duplicatedShare,
        double corruptedShare,
        double lostShare,
        long seed) {
    /** Returns the configuration of a relay that forwards every datagram unchanged. */
    public static RelayConfig through(String device, long seed) {
        return new RelayConfig(device, 0, 0, 0, 0, 0, 0, seed);
    }

    public RelayConfig delaying(long newDelayNs) {
        return new RelayConfig(
                device, newDelayNs, heldBackShare, holdNs, duplicatedShare, corruptedShare, lostShare, seed);
    }

    public RelayConfig holdingBack(double share, long newHoldNs) {
        return new RelayConfig(device, delayNs, share, newHoldNs, duplicatedShare, corruptedShare, lostShare, seed);
    }

    public RelayConfig duplicating(double share) {
        return new RelayConfig(device, delayNs, heldBackShare, holdNs, share, corruptedShare, lostShare, seed);
    }

    public RelayConfig corrupting(double share) {
        return new RelayConfig(device, delayNs, heldBackShare, holdNs, duplicatedShare, share, lostShare, seed);
    }

    public RelayConfig losing(double share) {
        return new RelayConfig(device, delayNs, heldBackShare, holdNs, duplicatedShare, corruptedShare, share, seed);
    }
}
