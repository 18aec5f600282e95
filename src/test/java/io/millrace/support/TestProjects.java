package io.millrace.support;

import io.millrace.account.identity.AccessTokens;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.Database;
import java.time.Duration;

/** Creates projects for tests of modules that need one to exist. */
public final class TestProjects {
    private static final String INSERT = """
            with new_platform as (
              insert into platform (id, created, updated, owner_id, name) values ($1, now(), now(), $1, 'Test')),
            new_identity as (
              insert into user_identity (id, created, updated, email, password_hash, first_name, last_name, provider,
                verified, track_events, news_letter)
              values ($1, now(), now(), $1, '', 'Test', 'Test', 'EMAIL', true, false, false)),
            new_user as (
              insert into platform_user (id, created, updated, identity_id, platform_id, platform_role, status)
              values ($1, now(), now(), $1, $1, 'ADMIN', 'ACTIVE'))
            insert into project (id, created, updated, platform_id, owner_id, display_name, type, icon_color,
              releases_enabled)
            values ($1, now(), now(), $1, $1, 'Test', 'TEAM', 'RED', false)
            """;

    private TestProjects() {}

    /** Id of a new project with a new platform. */
    public static String insert(Database database) {
        var id = Ids.next();
        Waiting.await(database.query(INSERT, id));
        return id;
    }

    /** Authorization header of the owner of such a project; its platform has the same id. */
    public static String bearer(AccessTokens tokens, String id) {
        var claims = Json.object().put("id", id);
        claims.putObject("platform").put("id", id);
        return "Bearer " + tokens.issue("USER", claims, Duration.ofDays(400));
    }

    /** Removes a project with all rows that refer to it. */
    public static void remove(Database database, String projectId) {
        Waiting.await(database.query("delete from project where id = $1", projectId));
    }
}
