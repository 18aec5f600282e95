package io.millrace.fault;

import io.millrace.support.FaultyProxy;
import java.time.Duration;
import java.util.Locale;
import java.util.random.RandomGenerator;

/** Faults of the connection to a database: traffic that is accepted and not forwarded, lost connections, and delays. */
enum DatabaseHarm implements Harm {
    /** The longest silence exceeds a node's lease. */
    SILENT_DATABASE(Duration.ofSeconds(3), Duration.ofSeconds(22)) {
        @Override
        void disturb(FaultyProxy way) {
            way.silence();
        }
    },
    /** The database drops the connections of a live node without notice. */
    FORGOTTEN_CONNECTIONS(Duration.ofSeconds(3), Duration.ofSeconds(15)) {
        @Override
        void disturb(FaultyProxy way) {
            way.forget();
        }
    },
    SLOW_DATABASE(Duration.ofSeconds(6), Duration.ofSeconds(12)) {
        @Override
        void disturb(FaultyProxy way) {
            way.slow(DELAY);
        }
    };

    private static final Duration DELAY = Duration.ofMillis(500);

    private final Duration least;
    private final Duration most;

    DatabaseHarm(Duration least, Duration most) {
        this.least = least;
        this.most = most;
    }

    abstract void disturb(FaultyProxy way);

    @Override
    public String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    @Override
    public void strike(ServerNode node, RandomGenerator random) throws InterruptedException {
        var way = node.way();
        disturb(way);
        try {
            Thread.sleep(random.nextLong(least.toMillis(), most.toMillis()));
        } finally {
            way.mend();
        }
    }
}
