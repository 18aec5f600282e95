package io.millrace.account.identity;

import io.millrace.base.access.Principal;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Personal projects for accounts. Implemented by a module above; plugged in at start. */
public interface PersonalProjects {
    /**
     * Creates the personal project of a user in the caller's transaction. Its alerts have no receiver until one is added; the
     * owner is not added automatically.
     *
     * @return id of the project
     */
    Future<String> create(Tx tx, User owner, String displayName);

    /** The landing project of a user after sign-in: personal before team, then the oldest. */
    Future<Optional<String>> firstVisible(Tx tx, User viewer);

    Future<Boolean> mayInviteSomewhere(Tx tx, Principal.SignedInUser user);

    /**
     * Marks the personal project of a leaving user as deleted, in the caller's transaction.
     *
     * @return ids of these projects, for {@link #remove}
     */
    Future<List<String>> retire(Tx tx, User owner);

    /** Removes retired projects in the background; called after the commit. */
    void remove(String platformId, List<String> projectIds);
}
