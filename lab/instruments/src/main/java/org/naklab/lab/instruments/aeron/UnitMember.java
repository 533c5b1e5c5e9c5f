package org.naklab.lab.instruments.aeron;

/**
 * A process of an Aeron unit.
 *
 * @param isDriver whether the media driver runs in it; it may be a client at the same time
 */
public record UnitMember(AeronUnit unit, long pid, boolean isDriver) {}
