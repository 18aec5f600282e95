package io.millrace.authoring.flow;

import io.millrace.authoring.flow.version.VersionSummary;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.access.Principal;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageKey;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.Paging;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * Queries for the editors of flow versions and for acting users. Read-only access to the tables of the identity module
 * below.
 */
final class FlowAuthorStore {
    private static final String VERSIONS = """
            select v.id, v.created, v.updated, v.flow_id, v.display_name, v.valid, v.state, v.schema_version,
                   v.updated_by, u.id as editor_id, u.created as editor_created, u.updated as editor_updated,
                   u.status as editor_status, u.platform_role as editor_platform_role, u.platform_id as editor_platform_id,
                   u.external_id as editor_external_id, u.last_active_date as editor_last_active_date,
                   i.email as editor_email, i.first_name as editor_first_name, i.last_name as editor_last_name,
                   i.image_url as editor_image_url
              from flow_version v
              left join platform_user u on u.id = v.updated_by
              left join user_identity i on i.id = u.identity_id
             where v.flow_id = $1
            """;

    private static final RowMapper<VersionSummary> VERSION_SUMMARIES = RowMapper.of(VersionSummary.class, VERSIONS);

    private static final String FIND_ACTIVE =
            "select id, platform_id, platform_role from platform_user where id = $1 and status = 'ACTIVE'";

    private static final RowMapper<Principal.SignedInUser> USERS =
            RowMapper.of(UserRow.class, FIND_ACTIVE).as(UserRow::user);

    private record UserRow(String id, String platformId, PlatformRole platformRole) {
        Principal.SignedInUser user() {
            return new Principal.SignedInUser(id, platformId, platformRole);
        }
    }

    Future<Page<VersionSummary>> versions(Tx tx, String flowId, PageRequest page) {
        return tx.page(
                VERSIONS,
                Paging.newestFirst().on("v.created", "v.id"),
                page,
                VERSION_SUMMARIES,
                version -> new PageKey(version.created(), version.id()),
                flowId);
    }

    Future<Optional<Principal.SignedInUser>> findActive(Tx tx, String userId) {
        return tx.query(FIND_ACTIVE, userId).map(USERS::first);
    }

    /** First and last name of a user; empty without a user. */
    Future<String> nameOf(Tx tx, String userIdOrNull) {
        return tx.query("""
                        select i.first_name || ' ' || i.last_name as name
                          from platform_user u join user_identity i on i.id = u.identity_id
                         where u.id = $1
                        """, userIdOrNull)
                .map(rows -> Rows.first(rows, row -> Rows.text(row, "name")).orElse(""));
    }
}
