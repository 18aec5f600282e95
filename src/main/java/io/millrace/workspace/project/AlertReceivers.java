package io.millrace.workspace.project;

import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.time.Instant;

/** Who is mailed of a project's failed runs, as far as a new project names somebody. Kept by the package of alerts above. */
public interface AlertReceivers {
    /** Adds a receiver; one who is there already stays. */
    Future<Void> add(Tx tx, String projectId, String receiverEmail, Instant now);

    /** Adds the owner of a project, who alone may hear of a personal one. */
    Future<Void> addOwner(Tx tx, String projectId, Instant now);
}
