package io.millrace.integration.privacy;

/**
 * A section of a personal data export, with its query. {@code person} is a row of {@code user_id}, {@code platform_id} and
 * {@code email}. The sections exclude secrets, hashes and texts of other users.
 */
enum PersonalDataSection {
    ACCOUNT("account", """
            select u.id, u.created, u.updated, u.platform_id as "platformId", u.platform_role as "platformRole", u.status,
              u.external_id as "externalId", u.last_active_date as "lastActiveDate", i.created as "signedUp", i.email,
              i.first_name as "firstName", i.last_name as "lastName", i.image_url as "imageUrl", i.provider, i.verified,
              i.track_events as "trackEvents", i.news_letter as "newsLetter", i.password_hash is not null as "hasPassword"
            from person join platform_user u on u.id = person.user_id join user_identity i on i.id = u.identity_id
            """),
    PROJECT_MEMBERSHIPS("projectMemberships", """
            select m.id, m.created, m.project_id as "projectId", p.display_name as "projectDisplayName", r.name as "projectRole"
            from person join project_member m on m.user_id = person.user_id
              join project p on p.id = m.project_id join project_role r on r.id = m.project_role_id
            order by m.created, m.id
            """),
    PROJECTS("projects", """
            select p.id, p.created, p.display_name as "displayName", p.type
            from person join project p on p.owner_id = person.user_id where p.deleted is null order by p.created, p.id
            """),
    INVITATIONS("invitations", """
            select v.id, v.created, v.email, v.status, v.type, v.platform_role as "platformRole", v.project_id as "projectId"
            from person join user_invitation v on v.email = person.email and v.platform_id = person.platform_id
            order by v.created, v.id
            """),
    ALERTS("alerts", """
            select a.id, a.created, a.project_id as "projectId", a.receiver
            from person join alert a on a.receiver = person.email
              join project p on p.id = a.project_id and p.platform_id = person.platform_id
            order by a.created, a.id
            """),
    TOKENS("tokens", """
            select g.id, g.created, g.client_id as "clientId", c.name as "clientName", g.project_id as "projectId",
              g.resource, g.expires, g.revoked
            from person join mcp_grant g on g.user_id = person.user_id join mcp_client c on c.id = g.client_id
            order by g.created, g.id
            """),
    CONNECTIONS("connections", """
            select a.id, a.created, a.external_id as "externalId", a.display_name as "displayName",
              a.piece_name as "pieceName", a.project_id as "projectId"
            from person join app_connection a on a.owner_id = person.user_id order by a.created, a.id
            """),
    FLOWS("flows", """
            select f.id, f.created, f.project_id as "projectId", f.external_id as "externalId", f.status
            from person join flow f on f.owner_id = person.user_id order by f.created, f.id
            """),
    FLOW_VERSIONS("flowVersions", """
            select v.id, v.created, v.updated, v.flow_id as "flowId", v.display_name as "displayName"
            from person join flow_version v on v.updated_by = person.user_id order by v.created, v.id
            """),
    AGENTS("agents", """
            select a.id, a.created, a.project_id as "projectId", a.display_name as "displayName"
            from person join agent a on a.owner_id = person.user_id order by a.created, a.id
            """),
    AGENT_RUNS("agentRuns", """
            select r.id, r.created, r.project_id as "projectId", r.title, r.model_name as "modelName", r.ended
            from person join agent_run r on r.user_id = person.user_id order by r.created, r.id
            """),
    ACTION_RUNS("actionRuns", """
            select r.id, r.created, r.project_id as "projectId", r.piece_name as "pieceName", r.action_name as "actionName",
              r.status, r.ended
            from person join action_run r on r.user_id = person.user_id order by r.created, r.id
            """),
    PIECE_REQUESTS("pieceRequests", """
            select q.id, q.created, q.piece_name as "pieceName", q.piece_version as "pieceVersion", q.reason, q.status
            from person join piece_request q on q.user_id = person.user_id order by q.created, q.id
            """),
    RELEASES("releases", """
            select r.id, r.created, r.project_id as "projectId", r.name
            from person join project_release r on r.imported_by = person.user_id order by r.created, r.id
            """),
    BADGES("badges", """
            select b.name, b.created from person join user_badge b on b.user_id = person.user_id order by b.created, b.name
            """),
    AUDIT_EVENTS("auditEvents", """
            select e.body::json as event
            from person join audit_event e on e.platform_id = person.platform_id and e.user_id = person.user_id
            order by e.created desc, e.id
            """);

    private final String key;
    private final String query;

    PersonalDataSection(String key, String query) {
        this.key = key;
        this.query = query;
    }

    String key() {
        return key;
    }

    String query() {
        return query;
    }
}
