package io.millrace.integration.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.persistence.Database;
import io.millrace.support.TestDatabase;
import io.millrace.support.TestProjects;
import io.millrace.support.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Selection of pending deliveries by a node. */
class EventDeliveryStoreIT {
    private static final int LIMIT = 64;
    private static final int PER_DESTINATION = 8;

    @AutoClose
    private static TestDatabase opened = new TestDatabase();

    private static Database database = opened.database();

    private final EventDeliveryStore store = new EventDeliveryStore();

    @Test
    void leavesRoomOnly_forWhatADestinationDoesNotHaveUnderWay() {
        // Given
        var projectId = TestProjects.insert(database);
        for (var destination : List.of("idle", "slow", "stuck")) {
            destination(projectId, destination);
            waiting(destination, 20);
        }

        // When
        var claimed = claim(Map.of("slow", 7, "stuck", 8, "gone", 3));

        // Then
        assertThat(claimed).isEqualTo(Map.of("idle", 8L, "slow", 1L));
    }

    private Map<String, Long> claim(Map<String, Integer> underWay) {
        var now = Instant.now();
        var claimed = Waiting.await(database.inTransaction(
                tx -> store.claim(tx, now, now.plus(Duration.ofMinutes(1)), LIMIT, PER_DESTINATION, underWay)));
        return claimed.stream()
                .map(EventDeliveryStore.DeliveryAttempt::destinationId)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }

    private static void destination(String platformId, String id) {
        Waiting.await(database.query("""
                insert into event_destination (id, created, updated, platform_id, events, url, sealed_secret)
                values ($1, now(), now(), $2, '{flow.run.finished}', 'http://example.com', '')
                """, id, platformId));
    }

    private static void waiting(String destinationId, int count) {
        Waiting.await(database.query("""
                insert into event_delivery (id, created, destination_id, event_id, action, body, attempts, due)
                select $1::text || n, now(), $1, 'event' || n, 'flow.run.finished', '{}', 0, now() - interval '1 hour'
                  from generate_series(1, $2::integer) as n
                """, destinationId, count));
    }
}
