package io.millrace.integration.event;

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
import java.util.Map;
import java.util.Optional;

/** Rows of {@code event_delivery}: pending deliveries and, for a retention period, finished ones. */
final class EventDeliveryStore {
    /** The id is derived from event and destination, so that an event published twice is delivered once. */
    private static final String ADD = """
            insert into event_delivery (id, created, destination_id, event_id, action, body, attempts, due)
            select substr(md5($1 || d.id), 1, 21), $2, d.id, $1, $3, $4, 0, $2
              from event_destination d
             where d.platform_id = $5
               and $3 = any (d.events)
               and not exists (select from unnest($6::text[]) own where starts_with(d.url, own))
                on conflict (id) do nothing
            """;

    private static final String TARGETS = """
            select exists (
              select from event_destination d, unnest($2::text[]) own where d.platform_id = $1 and starts_with(d.url, own)
            ) as targeted
            """;

    /**
     * A claim expires: the delivery is then claimed again if its worker has not finished it. The number in flight for each
     * destination is limited, so that a dead or slow one does not delay the others.
     */
    private static final String CLAIM = """
            update event_delivery delivery
               set due = $2, attempts = attempts + 1
              from event_destination destination
             where destination.id = delivery.destination_id
               and delivery.id in (
                   select waiting.id
                     from event_destination d
                     left join unnest($5::text[], $6::integer[]) as busy (id, under_way) on busy.id = d.id
                    cross join lateral (
                          select id from event_delivery
                           where destination_id = d.id and due <= $1 and delivered is null
                           order by due limit greatest(0, $4::integer - coalesce(busy.under_way, 0))
                             for update skip locked) waiting
                    limit $3)
            returning delivery.id, delivery.attempts, delivery.action, delivery.body, destination.id as destination_id,
                      destination.url, destination.sealed_secret
            """;

    private static final RowMapper<DeliveryAttempt> CLAIMED = RowMapper.of(DeliveryAttempt.class, CLAIM);

    private static final String DONE = """
            update event_delivery set delivered = $2, due = null, failure = null where id = $1
            """;

    private static final String PAGE = """
            select id, created, event_id, action, attempts, due, delivered, failure
              from event_delivery where destination_id = $1
            """;

    private static final RowMapper<EventDelivery> DELIVERIES = RowMapper.of(EventDelivery.class, PAGE);

    record DeliveryAttempt(
            String id,
            int attempts,
            String action,
            String body,
            String destinationId,
            String url,
            Buffer sealedSecret) {}

    /**
     * Adds an event for every destination of a platform that subscribes to it.
     *
     * @param exceptUrls destinations whose address begins with one of these are left out
     */
    Future<Void> add(
            Tx tx,
            String eventId,
            Instant created,
            String action,
            String body,
            String platformId,
            List<String> exceptUrls) {
        return tx.query(ADD, eventId, created, action, body, platformId, exceptUrls.toArray(String[]::new))
                .mapEmpty();
    }

    Future<Boolean> targets(Tx tx, String platformId, List<String> urlStarts) {
        return tx.query(TARGETS, platformId, urlStarts.toArray(String[]::new))
                .map(rows -> Rows.flag(rows.iterator().next(), "targeted"));
    }

    /**
     * Claims deliveries that are due.
     *
     * @param perDestination most deliveries in flight for one destination
     * @param underWay deliveries in flight, by destination
     */
    Future<List<DeliveryAttempt>> claim(
            Tx tx, Instant now, Instant until, int limit, int perDestination, Map<String, Integer> underWay) {
        var busy = List.copyOf(underWay.entrySet());
        return tx.query(
                        CLAIM,
                        now,
                        until,
                        limit,
                        perDestination,
                        Values.texts(busy, Map.Entry::getKey),
                        Values.integers(busy, Map.Entry::getValue))
                .map(CLAIMED::all);
    }

    Future<Void> done(Tx tx, String id, Instant now) {
        return tx.query(DONE, id, now).mapEmpty();
    }

    /** Records a failure; without a next time the delivery is abandoned. */
    Future<Void> failed(Tx tx, String id, Optional<Instant> again, String failure) {
        return tx.query("update event_delivery set due = $2, failure = $3 where id = $1", id, again, failure)
                .mapEmpty();
    }

    Future<Void> forget(Tx tx, Instant before) {
        return tx.query("delete from event_delivery where created < $1", before).mapEmpty();
    }

    Future<Page<EventDelivery>> page(Tx tx, String destinationId, PageRequest page) {
        return tx.page(
                PAGE,
                Paging.newestFirst(),
                page,
                DELIVERIES,
                delivery -> new PageKey(delivery.created(), delivery.id()),
                destinationId);
    }
}
