package io.millrace.account.audit;

import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.Optional;

/** What the audit log tells of the project and the user of an event. Both live above: plugged in at start. */
@FunctionalInterface
public interface EventSubjects {
    /** Empty when there is no platform that the event could belong to. */
    Future<Optional<Subject>> find(Tx tx, ApplicationEvent event);

    /**
     * Where an event belongs, and the names of what it is about.
     *
     * @param projectName null without a project, as is {@code projectExternalId}, which a project need not have
     * @param userEmail null without a user
     */
    record Subject(String platformId, String projectName, String projectExternalId, String userEmail) {}
}
