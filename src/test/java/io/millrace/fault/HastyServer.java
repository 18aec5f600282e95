package io.millrace.fault;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * Server process whose clock runs sixty times as fast, so that schedules of a minute fire each second; it has the piece
 * {@link OutsideFeed} and the {@link Faults} requested for it.
 */
final class HastyServer {
    private static final int HASTE = 60;

    private HastyServer() {}

    /** Expects the time at which the clock begins, and the address of the feed. */
    public static void main(String[] arguments) {
        var begin = Instant.parse(arguments[0]);
        InstantSource clock =
                () -> begin.plus(Duration.between(begin, Instant.now()).multipliedBy(HASTE));
        FaultyServer.start(clock, List.of(new OutsideFeed(arguments[1])));
    }
}
