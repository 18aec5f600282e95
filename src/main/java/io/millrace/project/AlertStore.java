package io.millrace.project;

import io.millrace.core.Ids;
import io.millrace.persistence.Tx;
import io.vertx.core.Future;
import java.time.Instant;

/** Rows of {@code alert}: who hears of a project's failed runs (contract admin-api 24). */
final class AlertStore {
    private static final String INSERT = """
            insert into alert (id, created, updated, project_id, channel, receiver)
            values ($1, $2, $2, $3, 'EMAIL', $4)
            on conflict (project_id, channel, receiver) do nothing
            """;

    /** Adds a receiver; one who is there already stays. */
    Future<Void> insert(Tx tx, String projectId, String receiverEmail, Instant now) {
        return tx.query(INSERT, Ids.next(), now, projectId, receiverEmail).mapEmpty();
    }
}
