package io.millrace.workspace.project;

import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.time.Instant;

/** Receivers of mail about a project's failed runs, as named by a new project. Implemented by the package of alerts above. */
public interface AlertReceivers {
    /** Adds a receiver; no change for an existing one. */
    Future<Void> add(Tx tx, String projectId, String receiverEmail, Instant now);

    /** Adds the owner of a project, the only permitted receiver of a personal one. */
    Future<Void> addOwner(Tx tx, String projectId, Instant now);
}
