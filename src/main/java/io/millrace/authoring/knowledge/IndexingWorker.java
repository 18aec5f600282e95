package io.millrace.authoring.knowledge;

import io.millrace.base.bus.Bus;
import io.millrace.base.persistence.PollingVerticle;
import io.vertx.core.Future;
import java.time.Duration;

/** Indexes pending documents of knowledge bases, one after the other. */
public final class IndexingWorker extends PollingVerticle {
    private static final long ROUND_MS = 2_000;

    /** Time limit for one document's turn: several requests to a model. */
    private static final long DEADLINE_MS = Duration.ofMinutes(20).toMillis();

    private static final int ROUNDS_UNTIL_TIDYING = 1_000;

    private final Bus bus;

    public IndexingWorker(Bus bus) {
        super("cannot index documents", ROUND_MS, ROUNDS_UNTIL_TIDYING);
        this.bus = bus;
    }

    @Override
    protected Future<Boolean> round() {
        return bus.ask(new KnowledgeFiles.IndexSome(), DEADLINE_MS);
    }

    @Override
    protected Future<Void> tidy() {
        return Future.succeededFuture();
    }
}
