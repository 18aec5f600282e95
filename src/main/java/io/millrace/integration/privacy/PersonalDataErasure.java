package io.millrace.integration.privacy;

/**
 * Personal data outside the account that is deleted, anonymized or reassigned, with its statement. Data that is deleted with
 * the account by a foreign key is not listed.
 */
enum PersonalDataErasure {
    INVITATIONS("invitations", """
            delete from user_invitation v using person
            where v.email = person.email and v.platform_id = person.platform_id
            """),
    ALERTS("alerts", """
            delete from alert a using person, project p
            where a.receiver = person.email and p.id = a.project_id and p.platform_id = person.platform_id
            """),
    PIECE_REQUESTS("pieceRequests", "delete from piece_request q using person where q.user_id = person.user_id"),
    FLOWS("flows", "update flow f set owner_id = null from person where f.owner_id = person.user_id"),
    FLOW_VERSIONS(
            "flowVersions",
            "update flow_version v set updated_by = null from person where v.updated_by = person.user_id"),
    AGENTS("agents", """
            update agent a set owner_id = p.owner_id from person join platform p on p.id = person.platform_id
            where a.owner_id = person.user_id
            """),
    AGENT_RUNS("agentRuns", "update agent_run r set user_id = null from person where r.user_id = person.user_id"),
    ACTION_RUNS("actionRuns", "update action_run r set user_id = null from person where r.user_id = person.user_id");

    private final String key;
    private final String statement;

    PersonalDataErasure(String key, String statement) {
        this.key = key;
        this.statement = statement;
    }

    String key() {
        return key;
    }

    String statement() {
        return statement;
    }
}
