package io.millrace.workspace.project;

import io.millrace.account.audit.ApplicationEvent;
import io.millrace.account.audit.EventSubjects;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.vertx.core.Future;
import java.util.Optional;

/** Names of platforms, projects and users. */
final class EventSubjectStore {
    private static final String FIND = """
            select platform.id as platform_id, project.display_name as project_name,
                   project.external_id as project_external_id,
                   (select i.email from platform_user u join user_identity i on i.id = u.identity_id
                     where u.id = $3 and u.platform_id = platform.id) as user_email
              from platform
              left join project on project.id = $2 and project.platform_id = platform.id
             where platform.id = coalesce($1, (select p.platform_id from project p where p.id = $2))
            """;

    private static final RowMapper<EventSubjects.Subject> SUBJECTS = RowMapper.of(EventSubjects.Subject.class, FIND);

    Future<Optional<EventSubjects.Subject>> find(Tx tx, ApplicationEvent event) {
        return tx.query(FIND, event.platformId(), event.projectId(), event.userId())
                .map(SUBJECTS::first);
    }
}
