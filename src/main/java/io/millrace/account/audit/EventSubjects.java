package io.millrace.account.audit;

import io.millrace.base.core.Nullable;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.Optional;

/** Names of the project and the user of an event, for the audit log. Both belong to modules above: plugged in at start. */
@FunctionalInterface
public interface EventSubjects {
    /** Empty when the event belongs to no platform. */
    Future<Optional<Subject>> find(Tx tx, ApplicationEvent event);

    /**
     * Platform of an event, and the names of its project and user.
     *
     * @param projectName null without a project, as is {@code projectExternalId}, which a project need not have
     * @param userEmail null without a user
     */
    record Subject(
            String platformId,
            @Nullable String projectName,
            @Nullable String projectExternalId,
            @Nullable String userEmail) {}
}
