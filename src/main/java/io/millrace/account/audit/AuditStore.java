package io.millrace.account.audit;

import io.millrace.base.core.Nullable;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageKey;
import io.millrace.base.persistence.Paging;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Unprefixed;
import io.millrace.base.persistence.statement.WhereClause;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Statements of the audit log. Events are only appended, and deleted from the oldest on. */
final class AuditStore {
    private static final String HELD_COLUMNS = "length, hash, newest";

    private static final String HOLD = """
            insert into audit_chain (platform_id, length, hash, newest, forgotten, forgotten_hash)
            values ($1, 0, '', 'epoch', 0, '')
                on conflict (platform_id) do update set length = audit_chain.length
            returning\s""" + HELD_COLUMNS;

    private static final RowMapper<ChainHead> HELD =
            RowMapper.of(ChainHead.class, "select " + HELD_COLUMNS + " from audit_chain");

    private static final String INSERT = """
            with chain as (
                update audit_chain set length = $8, hash = $9, newest = $2 where platform_id = $3)
            insert into audit_event (id, created, platform_id, project_id, user_id, action, body, sequence, hash)
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """;

    private static final String COLUMNS = "id, created, platform_id, project_id, user_id, action, body";

    private static final String LISTED = "select " + COLUMNS + " from audit_event where true";

    private static final RowMapper<AuditEvent> EVENTS =
            RowMapper.of(EventRow.class, LISTED).as(EventRow::event);

    private static final String LINKS = """
            select body, sequence, hash from audit_event
             where platform_id = $1 and sequence > $2 order by sequence limit $3
            """;

    private static final RowMapper<Link> LINK_ROWS = RowMapper.of(Link.class, LINKS);

    private static final String FIND_CHAIN = """
            select forgotten as forgotten_length, forgotten_hash, length as last_length, hash as last_hash
              from audit_chain where platform_id = $1
            """;

    private static final RowMapper<Ends> ENDS = RowMapper.of(Ends.class, FIND_CHAIN);

    /** Deletes a prefix of each chain, so that the rest remains verifiable. */
    private static final String FORGET = """
            with old as (
                select platform_id, max(sequence) as last from audit_event where created < $1 group by platform_id),
            anchor as (
                update audit_chain chain
                   set forgotten = event.sequence, forgotten_hash = event.hash
                  from old join audit_event event on event.platform_id = old.platform_id and event.sequence = old.last
                 where chain.platform_id = old.platform_id)
            delete from audit_event event using old
             where event.platform_id = old.platform_id and event.sequence <= old.last
            """;

    private record EventRow(
            String id,
            Instant created,
            String platformId,
            @Nullable String projectId,
            @Nullable String userId,
            String action,
            String body) {
        AuditEvent event() {
            return new AuditEvent(
                    id,
                    created,
                    platformId,
                    projectId,
                    userId,
                    EventAction.of(action).orElseThrow(),
                    body);
        }
    }

    /** A chain before an append, and the time of its newest event. */
    record ChainHead(@Unprefixed AuditChain chain, Instant newest) {}

    record Link(String body, long sequence, Buffer hash) {}

    /** The ends of a chain: the last deleted event, and the newest. */
    record Ends(AuditChain forgotten, AuditChain last) {}

    /** Locks the chain of a platform until the transaction ends. */
    Future<ChainHead> hold(Tx tx, String platformId) {
        return tx.query(HOLD, platformId).map(HELD::only);
    }

    Future<Void> append(Tx tx, AuditEvent event, AuditChain chain) {
        return tx.query(
                        INSERT,
                        event.id(),
                        event.created(),
                        event.platformId(),
                        event.projectId(),
                        event.userId(),
                        event.action().text(),
                        event.body(),
                        chain.length(),
                        chain.hash())
                .mapEmpty();
    }

    Future<Page<AuditEvent>> page(Tx tx, AuditEvents.Find find) {
        var filter = find.filter();
        var conditions = new WhereClause(LISTED)
                .and("platform_id = %s", find.by().platform())
                .andAny(
                        "action %s",
                        filter.actions().stream().map(EventAction::text).toList())
                .andAny("project_id %s", filter.projectIds())
                .and("user_id = %s", filter.userId())
                .and("created >= %s", find.page().lowerBound(filter.createdAfter()))
                .and("created <= %s", find.page().upperBound(filter.createdBefore()));
        return tx.page(
                conditions.sql(),
                Paging.newestFirst(),
                find.page(),
                EVENTS,
                event -> new PageKey(event.created(), event.id()),
                conditions.values());
    }

    Future<Optional<Ends>> findEnds(Tx tx, String platformId) {
        return tx.query(FIND_CHAIN, platformId).map(ENDS::first);
    }

    /** The events of a platform after a position of its chain, oldest first. */
    Future<List<Link>> findLinks(Tx tx, String platformId, long behind, int limit) {
        return tx.query(LINKS, platformId, behind, limit).map(LINK_ROWS::all);
    }

    Future<Void> forget(Tx tx, Instant before) {
        return tx.query(FORGET, before).mapEmpty();
    }
}
