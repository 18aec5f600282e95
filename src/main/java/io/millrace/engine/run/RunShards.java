package io.millrace.engine.run;

import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import java.time.Instant;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Maps runs to flow-execution verticles. All messages of a run are sent to one shard, so that they stay on one event
 * loop.
 *
 * @param count number of shards on this node
 */
public record RunShards(int count) {
    /** Knuth's multiplier: without it, some of 31 or 62 shards receive no runs. */
    private static final int SPREAD = 0x9E3779B1;

    /**
     * Characters at the end of an id that are drawn again until it belongs to a shard; enough for thousands of shards.
     */
    private static final int CHOSEN_LENGTH = 2;

    public RunShards {
        if (count < 1) {
            throw new IllegalArgumentException("expected at least one shard, found " + count);
        }
    }

    /**
     * The shard on the calling thread, or empty. A run that begins there is handed over without waking another thread.
     */
    public OptionalInt onThisThread(Bus bus) {
        return IntStream.range(0, count)
                .filter(shard -> bus.isServedHere(address(shard)))
                .findFirst();
    }

    /** Bus address of the shard that starts runs with this id. */
    public String addressOf(String runId) {
        return address(shardOf(runId));
    }

    public String launchAddressOf(String runId) {
        return launchAddress(shardOf(runId));
    }

    public String cancelAddressOf(String runId) {
        return cancelAddress(shardOf(runId));
    }

    public String viewAddressOf(String runId) {
        return viewAddress(shardOf(runId));
    }

    public int shardOf(String runId) {
        return (runId.hashCode() * SPREAD >>> Byte.SIZE) % count;
    }

    public static String address(int shard) {
        return "run.shard." + shard;
    }

    public static String adoptionAddress(int shard) {
        return "run.adopt." + shard;
    }

    public static String launchAddress(int shard) {
        return "run.launch." + shard;
    }

    public static String cancelAddress(int shard) {
        return "run.cancel." + shard;
    }

    public static String viewAddress(int shard) {
        return "run.view." + shard;
    }

    public static String ownedAddress(int shard) {
        return "run.owned." + shard;
    }

    public String nextRunId(int shard, Instant now) {
        var id = Runs.nextId(now);
        while (shardOf(id) != shard) {
            id = id.substring(0, Ids.LENGTH - CHOSEN_LENGTH) + Ids.random(CHOSEN_LENGTH);
        }
        return id;
    }
}
