package io.millrace.run;

/**
 * Which flow-execution verticle a run belongs to. All messages of a run go to one shard, so that they stay on one
 * event loop.
 *
 * @param count number of shards on this node
 */
public record RunShards(int count) {
    public RunShards {
        if (count < 1) {
            throw new IllegalArgumentException("expected at least one shard, found " + count);
        }
    }

    /** Bus address of the shard that starts runs with this id. */
    public String deskOf(String runId) {
        return desk(shardOf(runId));
    }

    /** Bus address of the shard that launches a run with this id. */
    String launchDeskOf(String runId) {
        return launchDesk(shardOf(runId));
    }

    /** Bus address of the shard that may have the actor of a run. */
    String cancelDeskOf(String runId) {
        return cancelDesk(shardOf(runId));
    }

    int shardOf(String runId) {
        return Math.floorMod(runId.hashCode(), count);
    }

    static String desk(int shard) {
        return "run.shard." + shard;
    }

    static String adoptionDesk(int shard) {
        return "run.adopt." + shard;
    }

    static String launchDesk(int shard) {
        return "run.launch." + shard;
    }

    static String cancelDesk(int shard) {
        return "run.cancel." + shard;
    }

    static String ownedDesk(int shard) {
        return "run.owned." + shard;
    }

    /** A fresh run id that belongs to the shard. */
    String nextRunId(int shard) {
        while (true) {
            var id = Runs.nextId();
            if (shardOf(id) == shard) {
                return id;
            }
        }
    }
}
