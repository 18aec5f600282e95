package io.millrace.authoring.knowledge;

import io.millrace.base.bus.Bus;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.piece.model.ModelFailure;
import io.millrace.piece.model.Models;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Computes missing vectors: of the rest of a large document, and of changed chunks. Each batch is stored before the
 * next request, so that recovery after a crash repeats one request at most.
 */
public final class IndexingService implements BusService {
    /** Batch size of requests: some ten thousand tokens. */
    static final int BATCH = 64;

    private static final Logger LOG = LoggerFactory.getLogger(IndexingService.class);

    private static final long REQUEST_MS = 60_000;

    /**
     * Longer than a request and the wait for an unavailable database; after a crash of a node its documents are claimed again no
     * later than this.
     */
    private static final Duration LEASE = Duration.ofMinutes(2);

    private static final Duration WAIT = Duration.ofSeconds(1);
    private static final int ATTEMPTS_MAX = 10;
    private static final int BATCHES_AT_ONCE = 16;

    private final Database database;
    private final Models models;
    private final KnowledgeStore files = new KnowledgeStore();
    private final ChunkStore chunks = new ChunkStore();

    public IndexingService(Database database, Models models) {
        this.database = database;
        this.models = models;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(KnowledgeFiles.IndexSome.class, _ -> indexSome());
    }

    private Future<Boolean> indexSome() {
        return database.inTransaction(tx -> files.claim(tx, LEASE))
                .compose(job -> job.map(this::index).orElseGet(() -> Future.succeededFuture(false)));
    }

    private Future<Boolean> index(KnowledgeStore.IndexingJob job) {
        return batches(job.file(), BATCHES_AT_ONCE)
                .recover(failure -> later(job, failure))
                .map(true);
    }

    /** Limits the batches of one turn, so that other documents are not delayed. */
    private Future<Void> batches(KnowledgeFile file, int left) {
        if (left == 0) {
            return database.inTransaction(tx -> files.extend(tx, file, Duration.ZERO));
        }
        return database.read(tx -> pending(tx, file)).compose(found -> {
            if (found.isEmpty()) {
                return Future.succeededFuture();
            }
            var pending = found.get();
            if (pending.isEmpty()) {
                return database.inTransaction(tx -> files.changed(tx, file.id()));
            }
            var texts = pending.stream().map(ChunkStore.Pending::content).toList();
            return models.embed(file.projectId(), file.model().orElseThrow(), texts, REQUEST_MS)
                    .compose(made -> database.recordingEffect(tx -> chunks.embed(
                                    tx,
                                    pending,
                                    made.vectors().stream()
                                            .map(Vectors::written)
                                            .toList())
                            .compose(_ -> files.extend(tx, file, LEASE))))
                    .compose(_ -> batches(file, left - 1));
        });
    }

    /**
     * Chunks without a vector of the document's model; empty when the document was deleted, or restarted with another
     * model. The model is read last: chunks of an earlier start are deleted by then, and their vectors are discarded.
     */
    private Future<Optional<List<ChunkStore.Pending>>> pending(Tx tx, KnowledgeFile file) {
        return chunks.pending(tx, file.id(), BATCH)
                .compose(pending -> files.find(tx, file.id())
                        .map(now -> now.filter(same -> same.model().equals(file.model()))
                                .map(_ -> pending)));
    }

    private Future<Void> later(KnowledgeStore.IndexingJob job, Throwable failure) {
        var isFinal = failure instanceof ModelFailure known && !known.isRetriable();
        var id = job.file().id();
        if (isFinal || job.attempts() >= ATTEMPTS_MAX) {
            LOG.warn("document {} of a knowledge base cannot be indexed: {}", id, failure.getMessage());
            return database.inTransaction(tx -> files.fail(tx, job.file(), failure.getMessage()));
        }
        LOG.info("cannot index document {} of a knowledge base yet, retrying: {}", id, failure.getMessage());
        var wait = WAIT.multipliedBy(1L << job.attempts());
        return database.inTransaction(tx -> files.postpone(tx, job.file(), wait, failure.getMessage()));
    }
}
