package org.naklab.lab.report.instructor;

import java.util.Objects;

/**
 * A fault that an instructor asks for.
 *
 * @param fault in the words of {@code naklab inject}, such as {@code datagram-loss:probability=5%,on=gateway-1,for=2s}
 */
public record FaultWish(String fault) {
    public FaultWish {
        Objects.requireNonNull(fault);
    }
}
