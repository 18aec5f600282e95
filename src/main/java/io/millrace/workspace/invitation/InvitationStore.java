package io.millrace.workspace.invitation;

import io.millrace.base.access.PlatformRole;
import io.millrace.base.access.Principal;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageKey;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.Paging;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Rows of {@code user_invitation}. Reads the roles of the project module below and never writes them. */
final class InvitationStore {
    /**
     * One invitation for each address and target: a second one replaces the role of the first. An accepted invitation stays
     * accepted (contract admin-api 16.5).
     */
    private static final String UPSERT = """
            insert into user_invitation (id, created, updated, email, status, type, platform_id, platform_role, project_id,
                                         project_role_id)
            values ($1, $2, $2, $3, $4, $5, $6, $7, $8, $9)
            on conflict (email, platform_id, project_id)
            do update set updated = excluded.updated, platform_role = excluded.platform_role,
                          project_role_id = excluded.project_role_id
            returning id
            """;

    private static final String SELECT = """
            select n.id, n.created, n.updated, n.email, n.status, n.type, n.platform_id, n.platform_role, n.project_id,
                   r.id as role_id, r.created as role_created, r.updated as role_updated, r.name as role_name,
                   r.permissions as role_permissions, r.platform_id as role_platform_id
              from user_invitation n
              left join project_role r on r.id = n.project_role_id
            """;

    private static final RowMapper<Invitation> INVITATIONS = RowMapper.of(Invitation.class, SELECT);

    private static final String FIND = SELECT + " where n.platform_id = $1 and n.id = $2";

    private static final String FIND_TO_CHANGE = SELECT + " where n.id = $1 for update of n";

    private static final String STATUS = "select status from user_invitation where id = $1";

    private static final String ACCEPTED = SELECT + """
             where n.platform_id = $1 and n.email = $2 and n.status = 'ACCEPTED'
             order by n.created, n.id
               for update of n
            """;

    /** Users who are not administrators see only invitations to the team projects that they may open. */
    private static final String PAGE = SELECT + """
             where n.platform_id = $1
               and ($2::text is null or n.type = $2)
               and ($3::text is null or n.status = $3)
               and ($4::text is null or n.project_id = $4)
               and ($5::text is null
                    or n.project_id is not null
                       and ($6 or exists (select
                                            from project_member m
                                           where m.project_id = n.project_id
                                             and m.user_id = $5)))
            """;

    private static final String ACCEPT = """
            update user_invitation set status = 'ACCEPTED', updated = $2 where id = $1
            """;

    private static final String COUNT = "select count(*) as count from user_invitation where platform_id = $1";

    private static final String DELETE = "delete from user_invitation where id = $1";

    private static final String IS_TEAM_PROJECT = """
            select exists (select
                             from project
                            where id = $2
                              and platform_id = $1
                              and type = 'TEAM'
                              and deleted is null) as is_team
            """;

    private static final String PROJECT_NAME = "select display_name from project where platform_id = $1 and id = $2";

    /**
     * The stored invitation: with the id of an earlier one to the same target, if there was one. Fails when it is a new one and
     * exceeds the bound.
     */
    Future<Invitation> upsert(Tx tx, Invitation invitation, RowBound bound) {
        return bound.begin(tx, "invitations", "platform", invitation.platformId())
                .compose(addition -> upsert(tx, invitation)
                        .compose(stored -> stored.id().equals(invitation.id())
                                ? checkCount(tx, stored, addition).map(stored)
                                : Future.succeededFuture(stored)));
    }

    private Future<Invitation> upsert(Tx tx, Invitation invitation) {
        return tx.query(
                        UPSERT,
                        invitation.id(),
                        invitation.created(),
                        invitation.email(),
                        invitation.status(),
                        invitation.type(),
                        invitation.platformId(),
                        invitation.platformRole(),
                        invitation.place().map(Invitation.Membership::projectId),
                        invitation.place().map(place -> place.role().id()))
                .compose(rows -> find(
                        tx, invitation.platformId(), Rows.text(rows.iterator().next(), "id")))
                .map(Optional::orElseThrow);
    }

    private static Future<Void> checkCount(Tx tx, Invitation invitation, RowBound.Addition addition) {
        return tx.query(COUNT, invitation.platformId())
                .compose(rows -> addition.check(Rows.whole(rows.iterator().next(), "count")));
    }

    Future<Optional<Invitation>> find(Tx tx, String platformId, String id) {
        return tx.query(FIND, platformId, id).map(INVITATIONS::first);
    }

    /** Locks the row: an invitation is accepted once. */
    Future<Optional<Invitation>> findToChange(Tx tx, String id) {
        return tx.query(FIND_TO_CHANGE, id).map(INVITATIONS::first);
    }

    Future<Optional<InvitationStatus>> status(Tx tx, String id) {
        return tx.query(STATUS, id)
                .map(rows -> Rows.first(rows, row -> Rows.option(row, "status", InvitationStatus.class)));
    }

    Future<List<Invitation>> accepted(Tx tx, String platformId, String email) {
        return tx.query(ACCEPTED, platformId, email).map(INVITATIONS::all);
    }

    Future<Page<Invitation>> page(
            Tx tx,
            Principal by,
            Optional<InvitationType> type,
            Optional<InvitationStatus> status,
            Optional<String> projectId,
            PageRequest page) {
        var limitedTo = by instanceof Principal.SignedInUser user && user.role() != PlatformRole.ADMIN
                ? Optional.of(user)
                : Optional.<Principal.SignedInUser>empty();
        return tx.page(
                PAGE,
                Paging.oldestFirst().on("n.created", "n.id"),
                page,
                INVITATIONS,
                invitation -> new PageKey(invitation.created(), invitation.id()),
                by.platform(),
                type,
                status,
                projectId,
                limitedTo.map(Principal.SignedInUser::id),
                limitedTo.filter(user -> user.role() == PlatformRole.OPERATOR).isPresent());
    }

    Future<Void> accept(Tx tx, Invitation invitation) {
        return tx.query(ACCEPT, invitation.id(), invitation.updated()).mapEmpty();
    }

    Future<Void> delete(Tx tx, String id) {
        return tx.query(DELETE, id).mapEmpty();
    }

    Future<Optional<String>> projectName(Tx tx, Invitation invitation) {
        return invitation
                .place()
                .map(place -> tx.query(PROJECT_NAME, invitation.platformId(), place.projectId())
                        .map(rows -> Rows.first(rows, row -> Rows.text(row, "display_name"))))
                .orElseGet(() -> Future.succeededFuture(Optional.empty()));
    }

    Future<Boolean> isTeamProject(Tx tx, String platformId, String projectId) {
        return tx.query(IS_TEAM_PROJECT, platformId, projectId)
                .map(rows -> Rows.flag(rows.iterator().next(), "is_team"));
    }
}
