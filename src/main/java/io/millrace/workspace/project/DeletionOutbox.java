package io.millrace.workspace.project;

import io.millrace.base.access.Principal;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;

/**
 * Outbox of deletions in projects, for work outside the database. Implemented by the module of releases above, which is plugged
 * in at start.
 */
public interface DeletionOutbox {
    /** Kinds of items that a repository keeps as files. */
    enum Kind {
        FLOW,
        TABLE
    }

    /** A deleted item, by the external id that identifies it in a repository. */
    record Deletion(Kind kind, String projectId, String externalId) {}

    /** Records a deletion in its transaction. */
    Future<Void> add(Tx tx, Principal by, Deletion deletion);

    /** For a server without repositories. */
    static DeletionOutbox none() {
        return (_, _, _) -> Future.succeededFuture();
    }
}
