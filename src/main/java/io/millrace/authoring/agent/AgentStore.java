package io.millrace.authoring.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.access.Principal;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageKey;
import io.millrace.base.persistence.ConstraintViolation;
import io.millrace.base.persistence.Paging;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.row.Unprefixed;
import io.millrace.base.persistence.statement.Values;
import io.millrace.base.secret.SecretBox;
import io.millrace.workspace.project.ProjectType;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Statements of {@code agent}. Configs are stored encrypted. */
final class AgentStore {
    private static final String COLUMNS = """
            a.id, a.created, a.updated, a.project_id, a.owner_id, a.external_id, a.display_name, a.description, a.icon,
            a.color, a.visibility, a.shared_with, a.sealed_draft, a.sealed_published
            """;

    private static final RowMapper<AgentRow> AGENTS =
            RowMapper.of(AgentRow.class, "select " + COLUMNS + " from agent a");

    private static final String FIND = "select " + COLUMNS + ", " + inProject("$3", "$4", "r.name = 'Admin'") + """
             as by_admin
              from agent a join project p on p.id = a.project_id
             where a.id = $1 and p.platform_id = $2
            """;

    private static final RowMapper<FoundRow> FOUND = RowMapper.of(FoundRow.class, FIND);

    private static final String LIST = "select " + COLUMNS + """
            , p.display_name as project_name, p.type as project_type
              from agent a join project p on p.id = a.project_id
             where p.platform_id = $1
            """;

    private static final RowMapper<AgentListRow> LISTED = RowMapper.of(AgentListRow.class, LIST);

    private static final String SEEN = "(a.visibility = 'PROJECT' or a.owner_id = $3 or $3 = any (a.shared_with))";

    private final SecretBox box;

    AgentStore(SecretBox box) {
        this.box = box;
    }

    /** An agent, and whether the caller is an administrator of its project. */
    record AgentAccess(SavedAgent agent, boolean byAdmin) {}

    record AgentListing(SavedAgent agent, String projectName, boolean projectIsPrivate) {}

    private record AgentRow(
            String id,
            Instant created,
            Instant updated,
            String projectId,
            String ownerId,
            String externalId,
            @Unprefixed AgentProfile profile,
            Buffer sealedDraft,
            Optional<Buffer> sealedPublished) {
        SavedAgent agent(SecretBox box) {
            return new SavedAgent(
                    id,
                    created,
                    updated,
                    projectId,
                    ownerId,
                    externalId,
                    profile,
                    opened(box, id, sealedDraft),
                    sealedPublished.map(config -> opened(box, id, config)));
        }
    }

    private record FoundRow(@Unprefixed AgentRow agent, boolean byAdmin) {}

    private record AgentListRow(@Unprefixed AgentRow agent, String projectName, ProjectType projectType) {}

    Future<Long> count(Tx tx, String projectId) {
        return tx.query("select count(*) as agents from agent where project_id = $1", projectId)
                .map(rows -> Rows.whole(rows.iterator().next(), "agents"));
    }

    Future<Void> insert(Tx tx, SavedAgent agent) {
        return tx.query(
                        """
                        insert into agent (id, created, updated, project_id, owner_id, external_id, display_name,
                                           description, icon, color, visibility, shared_with, sealed_draft,
                                           sealed_published)
                        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
                        """,
                        valuesOf(
                                agent,
                                agent.id(),
                                agent.created(),
                                agent.updated(),
                                agent.projectId(),
                                agent.ownerId(),
                                agent.externalId()))
                .mapEmpty();
    }

    private Object[] valuesOf(SavedAgent agent, Object... first) {
        var profile = agent.profile();
        return Stream.concat(
                        Stream.of(first),
                        Stream.of(
                                profile.displayName(),
                                Optional.ofNullable(profile.description()),
                                profile.icon(),
                                profile.color(),
                                profile.visibility(),
                                Values.texts(profile.sharedWith()),
                                sealed(agent.id(), agent.draft()),
                                agent.published().map(config -> sealed(agent.id(), config))))
                .toArray();
    }

    /** Maps a failed write to an API error: VALIDATION when the project already has an agent with this external id. */
    static Throwable told(Throwable failure, SavedAgent agent) {
        return failure instanceof ConstraintViolation refused && refused.kind() == ConstraintViolation.Kind.UNIQUE
                ? ApiException.of(
                        ErrorCode.VALIDATION, "the project has an agent with the externalId " + agent.externalId())
                : failure;
    }

    Future<Void> update(Tx tx, SavedAgent agent) {
        return tx.query("""
                        update agent set updated = $2, project_id = $3, display_name = $4, description = $5, icon = $6,
                               color = $7, visibility = $8, shared_with = $9, sealed_draft = $10, sealed_published = $11
                         where id = $1
                        """, valuesOf(agent, agent.id(), agent.updated(), agent.projectId()))
                .mapEmpty();
    }

    Future<Void> delete(Tx tx, String id) {
        return tx.query("delete from agent where id = $1", id).mapEmpty();
    }

    /** Finds an agent visible to the principal; administrators of the project see every agent by id. */
    Future<Optional<AgentAccess>> find(Tx tx, Principal by, String id, boolean toChange) {
        return tx.query(
                        toChange ? FIND + " for update of a" : FIND,
                        id,
                        by.platform(),
                        by.administersPlatform(),
                        person(by))
                .map(FOUND::first)
                .map(found -> found.map(row -> new AgentAccess(row.agent().agent(box), row.byAdmin())))
                .map(found -> found.filter(one -> one.byAdmin() || isSeenBy(one.agent(), by)));
    }

    private static boolean isSeenBy(SavedAgent agent, Principal by) {
        if (by instanceof Principal.McpServerToken token && !agent.projectId().equals(token.projectId())) {
            return false;
        }
        return agent.visibility() == SavedAgent.Visibility.PROJECT
                || agent.ownerId().equals(person(by))
                || agent.sharedWith().contains(person(by));
    }

    /** The user whose own and shared agents the caller sees; empty for an MCP server, which has none. */
    private static String person(Principal by) {
        return by instanceof Principal.McpServerToken ? "" : by.actingUser();
    }

    Future<Page<AgentListing>> page(Tx tx, Agents.Find ask) {
        var sql = LIST + """
                   and ($4::text is null or a.project_id = $4)
                   and ($5::text is null or a.external_id = $5)
                   and ($6::text is null
                        or position(lower($6) in lower(a.display_name || ' ' || coalesce(a.description, ''))) > 0)
                   and ($7 and p.type = 'TEAM' or
                """ + inProject("$2", "$3", "'READ_AGENT' = any (r.permissions)") + ") and " + SEEN;
        Object[] values = {
            ask.by().platform(),
            readsAll(ask),
            person(ask.by()),
            ask.projectId(),
            ask.externalId(),
            ask.search(),
            isOperator(ask.by())
        };
        return switch (ask.sort()) {
            case UPDATED -> page(tx, sql, "a.updated", SavedAgent::updated, ask, values);
            case CREATED -> page(tx, sql, "a.created", SavedAgent::created, ask, values);
            case NAME -> pageByName(tx, sql, ask, values);
        };
    }

    /** A cursor contains the id of an agent, so that the position follows a renamed agent. */
    private Future<Page<AgentListing>> pageByName(Tx tx, String sql, Agents.Find ask, Object... values) {
        var key = ask.page().key();
        var back = ask.page().backwards();
        var behind = key == null
                ? ""
                : " and (lower(a.display_name), a.id) " + (back ? "<" : ">")
                        + " (select lower(k.display_name), k.id from agent k where k.id = $8)";
        var direction = back ? " desc" : "";
        var all = Arrays.copyOf(values, key == null ? values.length : values.length + 1);
        if (key != null) {
            all[values.length] = key.id();
        }
        return tx.query(
                        sql + behind + " order by lower(a.display_name)" + direction + ", a.id" + direction + " limit "
                                + (ask.page().limit() + 1),
                        all)
                .map(rows -> Page.of(
                        LISTED.as(this::listedOf).all(rows),
                        ask.page(),
                        listed -> new PageKey(
                                listed.agent().created(), listed.agent().id())));
    }

    private Future<Page<AgentListing>> page(
            Tx tx, String sql, String column, Function<SavedAgent, Instant> time, Agents.Find ask, Object... values) {
        return tx.page(
                sql,
                Paging.newestFirst().on(column, "a.id"),
                ask.page(),
                LISTED.as(this::listedOf),
                listed -> new PageKey(time.apply(listed.agent()), listed.agent().id()),
                values);
    }

    private AgentListing listedOf(AgentListRow row) {
        return new AgentListing(row.agent().agent(box), row.projectName(), row.projectType() == ProjectType.PERSONAL);
    }

    Future<Optional<String>> projectOf(Tx tx, String id) {
        return tx.query("select project_id from agent where id = $1", id)
                .map(rows -> Rows.first(rows, row -> Rows.text(row, "project_id")));
    }

    Future<Optional<SavedAgent>> findByExternalId(Tx tx, String projectId, String externalId) {
        return tx.query(
                        "select " + COLUMNS + " from agent a where a.project_id = $1 and a.external_id = $2",
                        projectId,
                        externalId)
                .map(AGENTS::first)
                .map(found -> found.map(row -> row.agent(box)));
    }

    Future<List<String>> withAccess(Tx tx, String projectId, List<String> userIds) {
        return tx.query("""
                        select u.id from platform_user u join project p on p.id = $1 and p.platform_id = u.platform_id
                         where u.id = any ($2)
                           and (u.platform_role = 'ADMIN' or p.owner_id = u.id
                                or u.platform_role = 'OPERATOR' and p.type = 'TEAM'
                                or exists (select from project_member m where m.project_id = p.id and m.user_id = u.id))
                        """, projectId, Values.texts(userIds)).map(rows -> Rows.all(rows, row -> Rows.text(row, "id")));
    }

    /**
     * SQL condition: the caller is an administrator of the platform, the project's owner, or a member in such a role.
     */
    private static String inProject(String isAdministrator, String userId, String role) {
        return "(" + isAdministrator + " or p.owner_id = " + userId
                + " or exists (select from project_member m join project_role r on r.id = m.project_role_id"
                + " where m.project_id = p.id and m.user_id = " + userId + " and " + role + "))";
    }

    /** Returns true if the caller needs no role in the listed projects; an MCP server lists its own project only. */
    private static boolean readsAll(Agents.Find ask) {
        return ask.by().administersPlatform()
                || ask.by() instanceof Principal.McpServerToken token
                        && ask.projectId().equals(Optional.of(token.projectId()));
    }

    /** Platform operator: an editor in every team without membership (contract admin-api 1.10). */
    private static boolean isOperator(Principal by) {
        return by instanceof Principal.SignedInUser user && user.role() == PlatformRole.OPERATOR;
    }

    private Buffer sealed(String id, ObjectNode config) {
        return Buffer.buffer(box.seal(Json.bytes(config), place(id)));
    }

    private static ObjectNode opened(SecretBox box, String id, Buffer config) {
        return (ObjectNode) Json.trusted(new String(box.open(config.getBytes(), place(id)), StandardCharsets.UTF_8));
    }

    private static String place(String id) {
        return "agent:" + id;
    }
}
