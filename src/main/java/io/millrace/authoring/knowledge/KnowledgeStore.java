package io.millrace.authoring.knowledge;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.row.Unprefixed;
import io.millrace.piece.model.ModelChoice;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Statements of {@code knowledge_file}. Times of the indexing are the database's, because several nodes share it. */
final class KnowledgeStore {
    private static final String COLUMNS = """
            id, created, updated, project_id, file_id, display_name, state, reason, provider, config_id, model
            """;

    private static final RowMapper<KnowledgeFile> FILES = RowMapper.of(
                    FileRow.class, "select " + COLUMNS + " from knowledge_file")
            .as(FileRow::file);

    private static final String CLAIM = """
            update knowledge_file set due = now() + make_interval(secs => $1), attempts = attempts + 1
             where id = (select id from knowledge_file where state = 'INDEXING' and due <= now()
                          order by due limit 1 for update skip locked)
            returning attempts,
            """ + COLUMNS;

    private static final RowMapper<IndexingJob> CLAIMED = RowMapper.of(ClaimedRow.class, CLAIM)
            .as(row -> new IndexingJob(row.row().file(), row.attempts()));

    private record FileRow(
            String id,
            Instant created,
            Instant updated,
            String projectId,
            String fileId,
            String displayName,
            KnowledgeState state,
            Optional<String> reason,
            @Unprefixed Optional<ModelRow> choice) {
        KnowledgeFile file() {
            return new KnowledgeFile(
                    id,
                    created,
                    updated,
                    projectId,
                    fileId,
                    displayName,
                    state,
                    reason,
                    choice.map(row -> new ModelChoice(row.provider(), row.configId(), row.model(), 0)));
        }
    }

    private record ModelRow(String provider, String configId, String model) {}

    private record ClaimedRow(@Unprefixed FileRow row, int attempts) {}

    /** Condition that the document was not restarted with another model since the claim. */
    private static final String AS_CLAIMED =
            " where id = $1 and state = 'INDEXING' and (provider, config_id, model) = ($2, $3, $4)";

    /** Serializes concurrent additions, which could exceed the limit together. */
    Future<Void> lock(Tx tx, String projectId) {
        return tx.query("select pg_advisory_xact_lock(hashtextextended('knowledge/' || $1, 0))", projectId)
                .mapEmpty();
    }

    Future<Long> count(Tx tx, String projectId) {
        return tx.query("select count(*) as files from knowledge_file where project_id = $1", projectId)
                .map(rows -> Rows.whole(rows.iterator().next(), "files"));
    }

    Future<Void> insert(Tx tx, KnowledgeFile file) {
        return tx.query(
                        """
                        insert into knowledge_file (id, created, updated, project_id, file_id, display_name, state,
                                                    provider, config_id, model, due)
                        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now())
                        """,
                        file.id(),
                        file.created(),
                        file.updated(),
                        file.projectId(),
                        file.fileId(),
                        file.displayName(),
                        file.state(),
                        file.model().map(ModelChoice::provider),
                        file.model().map(ModelChoice::configId),
                        file.model().map(ModelChoice::model))
                .mapEmpty();
    }

    Future<List<KnowledgeFile>> all(Tx tx, String projectId) {
        return tx.query(
                        "select " + COLUMNS
                                + " from knowledge_file where project_id = $1 order by created desc, id desc",
                        projectId)
                .map(FILES::all);
    }

    Future<Optional<KnowledgeFile>> find(Tx tx, String id) {
        return tx.query("select " + COLUMNS + " from knowledge_file where id = $1", id)
                .map(FILES::first);
    }

    /** Finds and locks a document until the end of the transaction. */
    Future<Optional<KnowledgeFile>> findToChange(Tx tx, String id) {
        return tx.query("select " + COLUMNS + " from knowledge_file where id = $1 for update", id)
                .map(FILES::first);
    }

    /** File of the deleted row; empty when there was none. */
    Future<Optional<String>> delete(Tx tx, String projectId, String id) {
        return tx.query("delete from knowledge_file where id = $1 and project_id = $2 returning file_id", id, projectId)
                .map(rows -> Rows.first(rows, row -> Rows.text(row, "file_id")));
    }

    Future<Boolean> isShared(Tx tx, String fileId) {
        return tx.query("select from knowledge_file where file_id = $1 limit 1", fileId)
                .map(rows -> rows.size() > 0);
    }

    Future<Void> begin(Tx tx, String id, ModelChoice model) {
        return tx.query("""
                        update knowledge_file set state = 'INDEXING', reason = null, attempts = 0, due = now(),
                               updated = now(), provider = $2, config_id = $3, model = $4
                         where id = $1
                        """, id, model.provider(), model.configId(), model.model())
                .mapEmpty();
    }

    /**
     * Marks the changed document for indexing if the server computes its vectors; otherwise the caller supplies them.
     */
    Future<Void> changed(Tx tx, String id) {
        return tx.query("""
                        update knowledge_file f set updated = now(), attempts = 0, due = now(), reason = null,
                               state = case when not m.missing then 'READY'
                                            when f.model is null then 'UNINDEXED' else 'INDEXING' end
                          from (select exists (select from knowledge_chunk
                                                where knowledge_file_id = $1 and embedding is null)
                                    or not exists (select from knowledge_chunk where knowledge_file_id = $1) as missing) m
                         where f.id = $1
                        """, id).mapEmpty();
    }

    /** Claims a document for indexing; other workers skip it until the lease expires. */
    Future<Optional<IndexingJob>> claim(Tx tx, Duration lease) {
        return tx.query(CLAIM, (double) lease.toSeconds()).map(CLAIMED::first);
    }

    /** A claimed document, and the number of claims since the last progress. */
    record IndexingJob(KnowledgeFile file, int attempts) {}

    /** Records progress: extends the lease of the claim, or releases the document for other workers. */
    Future<Void> extend(Tx tx, KnowledgeFile file, Duration lease) {
        return tx.query("""
                        update knowledge_file set due = now() + make_interval(secs => $5), attempts = 0
                        """ + AS_CLAIMED, asClaimed(file, (double) lease.toSeconds()))
                .mapEmpty();
    }

    Future<Void> postpone(Tx tx, KnowledgeFile file, Duration wait, String reason) {
        return tx.query("""
                        update knowledge_file set due = now() + make_interval(secs => $5), reason = $6
                        """ + AS_CLAIMED, asClaimed(file, (double) wait.toSeconds(), reason))
                .mapEmpty();
    }

    Future<Void> fail(Tx tx, KnowledgeFile file, String reason) {
        return tx.query("""
                        update knowledge_file set state = 'FAILED', reason = $5, updated = now()
                        """ + AS_CLAIMED, asClaimed(file, reason)).mapEmpty();
    }

    private static Object[] asClaimed(KnowledgeFile file, Object... values) {
        var model = file.model().orElseThrow();
        return Stream.concat(
                        Stream.of(file.id(), model.provider(), model.configId(), model.model()), Arrays.stream(values))
                .toArray();
    }
}
