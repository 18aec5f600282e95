package io.millrace.fault;

import java.util.Locale;
import java.util.random.RandomGenerator;

/** Faults of processes: killed, or stopped and continued. */
enum ProcessHarm implements Harm {
    SERVER_KILLED {
        @Override
        public void strike(ServerNode node, RandomGenerator random) {
            node.kill();
            startAnywhere(node, random);
        }
    },
    SERVER_AND_DATABASE_KILLED {
        @Override
        public void strike(ServerNode node, RandomGenerator random) {
            node.killDatabase();
            node.kill();
            startAnywhere(node, random);
        }
    },
    DATABASE_KILLED {
        @Override
        public void strike(ServerNode node, RandomGenerator random) {
            node.killDatabase();
        }
    },
    /** Replaces the previous release by this one. */
    SERVER_REPLACED {
        @Override
        public void strike(ServerNode node, RandomGenerator random) {
            node.replace();
        }
    },
    SERVER_FROZEN {
        @Override
        public void strike(ServerNode node, RandomGenerator random) throws InterruptedException {
            node.freeze();
            Thread.sleep(FREEZE_MS);
            node.thaw();
        }
    };

    /** Longer than a node's lease, and long enough for the other node to take over its runs. */
    private static final long FREEZE_MS = 22_000;

    @Override
    public String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** The next start uses the embedded database instead of the external one, or the reverse. */
    private static void startAnywhere(ServerNode node, RandomGenerator random) {
        node.moveDatabase(random.nextBoolean());
        node.start();
    }
}
