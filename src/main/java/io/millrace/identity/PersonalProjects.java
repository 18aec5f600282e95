package io.millrace.identity;

import io.millrace.persistence.Tx;
import io.vertx.core.Future;
import java.util.Optional;

/** What a new account needs of the projects, which live in a room above. Plugged in at start. */
public interface PersonalProjects {
    /**
     * Creates the personal project of a user in the caller's transaction.
     *
     * @param ownerEmail becomes the first receiver of the project's alerts
     * @return id of the project
     */
    Future<String> create(Tx tx, User owner, String ownerEmail, String displayName);

    /** The project that the user lands in after signing in: personal before team, then the oldest. */
    Future<Optional<String>> firstVisible(Tx tx, User viewer);
}
