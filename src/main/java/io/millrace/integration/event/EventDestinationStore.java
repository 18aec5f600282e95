package io.millrace.integration.event;

import io.millrace.account.audit.EventAction;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageKey;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.Paging;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.statement.Values;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

final class EventDestinationStore {
    private static final String COLUMNS = "id, created, updated, platform_id, events, url";

    private static final String INSERT = """
            insert into event_destination (id, created, updated, platform_id, events, url, sealed_secret)
            values ($1, $2, $2, $3, $4, $5, $6)
            """;

    private static final String UPDATE = """
            update event_destination set updated = $3, events = $4, url = $5 where id = $1 and platform_id = $2
            returning\s""" + COLUMNS;

    private static final String OF_PLATFORM = "select " + COLUMNS + " from event_destination where platform_id = $1";

    private static final RowMapper<EventDestination> DESTINATIONS =
            RowMapper.of(DestinationRow.class, OF_PLATFORM, UPDATE).as(DestinationRow::destination);

    private record DestinationRow(
            String id, Instant created, Instant updated, String platformId, List<String> events, String url) {
        EventDestination destination() {
            var actions = events.stream()
                    .map(name -> EventAction.of(name).orElseThrow())
                    .toList();
            return new EventDestination(id, created, updated, platformId, actions, url);
        }
    }

    Future<Long> count(Tx tx, String platformId) {
        return tx.query("select count(*) as destinations from event_destination where platform_id = $1", platformId)
                .map(rows -> Rows.whole(rows.iterator().next(), "destinations"));
    }

    Future<Void> insert(Tx tx, EventDestination destination, Buffer sealedSecret) {
        return tx.query(
                        INSERT,
                        destination.id(),
                        destination.created(),
                        destination.platformId(),
                        Values.texts(destination.events(), EventAction::text),
                        destination.url(),
                        sealedSecret)
                .mapEmpty();
    }

    Future<Optional<EventDestination>> update(Tx tx, EventDestinations.Update ask, Instant now) {
        return tx.query(
                        UPDATE,
                        ask.id(),
                        ask.by().platform(),
                        now,
                        Values.texts(ask.events(), EventAction::text),
                        ask.url())
                .map(DESTINATIONS::first);
    }

    Future<Page<EventDestination>> page(Tx tx, String platformId, PageRequest page) {
        return tx.page(
                OF_PLATFORM,
                Paging.newestFirst(),
                page,
                DESTINATIONS,
                destination -> new PageKey(destination.created(), destination.id()),
                platformId);
    }

    Future<Optional<Nothing>> exists(Tx tx, String platformId, String id) {
        return tx.query("select id from event_destination where id = $1 and platform_id = $2", id, platformId)
                .map(rows -> Rows.first(rows, _ -> Nothing.DONE));
    }

    Future<Optional<Nothing>> delete(Tx tx, String platformId, String id) {
        return tx.query("delete from event_destination where id = $1 and platform_id = $2 returning id", id, platformId)
                .map(rows -> Rows.first(rows, _ -> Nothing.DONE));
    }
}
