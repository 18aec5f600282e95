package io.millrace.fault;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * The server as a process whose clock runs sixty times as fast, so that what comes every minute comes every second; it
 * knows the piece {@link OutsideFeed} and the {@link Faults} that it is asked for.
 */
final class HastyServer {
    private static final int HASTE = 60;

    private HastyServer() {}

    /** Expects the moment from which the clock runs, and the address of the feed. */
    public static void main(String[] arguments) {
        var begin = Instant.parse(arguments[0]);
        InstantSource clock =
                () -> begin.plus(Duration.between(begin, Instant.now()).multipliedBy(HASTE));
        FaultyServer.start(clock, List.of(new OutsideFeed(arguments[1])));
    }
}
