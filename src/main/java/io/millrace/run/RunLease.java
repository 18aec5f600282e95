package io.millrace.run;

import io.millrace.persistence.Database;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;

/**
 * Ends this node's lease when it stops. Deployed before the shards, and so stopped after them: a lease that ended while
 * a shard still lets its steps finish would let another node begin the same steps.
 */
public final class RunLease extends VerticleBase {
    private final Database database;
    private final String nodeId;
    private final RunStore store = new RunStore();

    public RunLease(Database database, String nodeId) {
        this.database = database;
        this.nodeId = nodeId;
    }

    @Override
    public Future<?> stop() {
        return database.read(tx -> store.endLease(tx, nodeId));
    }
}
