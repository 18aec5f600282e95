package io.millrace.workspace.project;

import io.millrace.account.audit.ApplicationEvent;
import io.millrace.account.audit.EventSubjects;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.Optional;

/** Gives the audit log the names of the subjects of events. */
public final class ProjectEventSubjects implements EventSubjects {
    private final EventSubjectStore store = new EventSubjectStore();

    @Override
    public Future<Optional<Subject>> find(Tx tx, ApplicationEvent event) {
        return store.find(tx, event);
    }
}
