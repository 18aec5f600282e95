package io.millrace.integration.badge;

import io.millrace.account.identity.user.Badge;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.statement.Values;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;

final class BadgeStore {
    private static final String COUNT_ACTIVE = """
            select count(*) as flows from flow f join project p on p.id = f.project_id and p.deleted is null
             where f.owner_id = $1 and f.status = 'ENABLED'
            """;

    /** Has no effect if the owner of the flow was deleted meanwhile. */
    private static final String AWARD = """
            insert into user_badge (user_id, name, created)
            select u.id, name, $3::timestamptz from platform_user u, unnest($2::text[]) name where u.id = $1
                on conflict do nothing
            returning name
            """;

    /** Awards badges of runs. An index finds the first relevant run of each flow; awarded badges are skipped. */
    private static final String AWARD_FOR_RUNS = """
            insert into user_badge (user_id, name, created)
            select u.id, badge.name, first.finish_time
              from platform_user u
              join (values ('victory', true), ('back-again', false)) badge (name, is_success) on true
              cross join lateral (
                   select run.finish_time
                     from flow f
                     cross join lateral (
                          select r.finish_time from ended_run r
                           where badge.is_success and r.flow_id = f.id and r.environment = 'PRODUCTION'
                             and r.status = 'SUCCEEDED'
                           order by r.created limit 1) run
                    where f.owner_id = u.id
                   union all
                   select run.finish_time
                     from flow f
                     cross join lateral (
                          select r.finish_time from ended_run r
                           where not badge.is_success and r.project_id = f.project_id and r.flow_id = f.id
                             and r.environment = 'PRODUCTION' and r.status <> 'SUCCEEDED' and r.status <> 'CANCELED'
                           order by r.created limit 1) run
                    where f.owner_id = u.id
                   order by finish_time limit 1) first
             where u.id = $1
               and not exists (select from user_badge b where b.user_id = u.id and b.name = badge.name)
                on conflict do nothing
            """;

    private static final String FIND = "select name, created from user_badge where user_id = $1 order by created, name";

    private static final RowMapper<Badge> BADGES = RowMapper.of(Badge.class, FIND);

    Future<Long> countActiveFlows(Tx tx, String userId) {
        return tx.query(COUNT_ACTIVE, userId)
                .map(rows -> Rows.whole(rows.iterator().next(), "flows"));
    }

    /** Returns the badges that are new for the user. */
    Future<List<String>> award(Tx tx, String userId, List<String> names, Instant now) {
        return tx.query(AWARD, userId, Values.texts(names), now)
                .map(rows -> Rows.all(rows, row -> Rows.text(row, "name")));
    }

    Future<Void> awardForRuns(Tx tx, String userId) {
        return tx.query(AWARD_FOR_RUNS, userId).mapEmpty();
    }

    Future<List<Badge>> find(Tx tx, String userId) {
        return tx.query(FIND, userId).map(BADGES::all);
    }
}
