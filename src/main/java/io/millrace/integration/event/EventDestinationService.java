package io.millrace.integration.event;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.Page;
import io.millrace.base.net.Fence;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.secret.SecretBox;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Serves {@link EventDestinations}. The routes admit administrators only; destinations of other platforms are reported as not
 * found.
 */
public final class EventDestinationService implements BusService {
    private static final String SECRET_PREFIX = "whsec_";
    private static final int SECRET_LENGTH = 43;

    private final Database database;
    private final EventSender post;
    private final SecretBox box;
    private final RowBound bound;
    private final InstantSource clock;
    private final EventDestinationStore store = new EventDestinationStore();
    private final EventDeliveryStore deliveries = new EventDeliveryStore();

    public EventDestinationService(
            Database database, EventSender post, SecretBox box, RowBound bound, InstantSource clock) {
        this.database = database;
        this.post = post;
        this.box = box;
        this.bound = bound;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(EventDestinations.Create.class, this::create);
        bus.serve(EventDestinations.Update.class, this::update);
        bus.serve(EventDestinations.Find.class, this::find);
        bus.serve(EventDestinations.Delete.class, this::delete);
        bus.serve(EventDestinations.FindDeliveries.class, this::findDeliveries);
        bus.serve(EventDestinations.Test.class, this::test);
    }

    private Future<EventDestinations.NewDestination> create(EventDestinations.Create ask) {
        var now = now();
        var made = new EventDestination(Ids.next(), now, now, ask.by().platform(), ask.events(), ask.url());
        var secret = SECRET_PREFIX + Ids.random(SECRET_LENGTH);
        var sealed = box.seal(secret.getBytes(StandardCharsets.UTF_8), place(made.id()));
        return database.inTransaction(tx -> bound.begin(tx, "event destinations", "platform", made.platformId())
                        .compose(addition -> store.insert(tx, made, Buffer.buffer(sealed))
                                .compose(_ -> store.count(tx, made.platformId()))
                                .compose(addition::check)))
                .map(new EventDestinations.NewDestination(made, secret));
    }

    /** Context that binds a sealed secret to its row. */
    static String place(String destinationId) {
        return "event_destination:" + destinationId;
    }

    private Future<EventDestination> update(EventDestinations.Update ask) {
        return database.inTransaction(tx -> store.update(tx, ask, now())).map(found -> required(found, ask.id()));
    }

    private static <T> T required(Optional<T> found, String id) {
        return found.orElseThrow(() -> ApiException.notFound("event_destination", id));
    }

    private Future<Page<EventDestination>> find(EventDestinations.Find ask) {
        return database.read(tx -> store.page(tx, ask.by().platform(), ask.page()));
    }

    private Future<Nothing> delete(EventDestinations.Delete ask) {
        return database.inTransaction(tx -> store.delete(tx, ask.by().platform(), ask.id()))
                .map(deleted -> required(deleted, ask.id()));
    }

    private Future<Page<EventDelivery>> findDeliveries(EventDestinations.FindDeliveries ask) {
        return database.read(tx -> store.exists(tx, ask.by().platform(), ask.id())
                .map(found -> required(found, ask.id()))
                .compose(_ -> deliveries.page(tx, ask.id(), ask.page())));
    }

    private Future<Nothing> test(EventDestinations.Test ask) {
        var sample = SampleEvent.of(ask.event(), ask.by().platform(), now());
        return post.send(
                        ask.url(), sample.path("id").asText(), ask.event().text(), sample, Optional.empty(), Fence.OPEN)
                .map(Nothing.DONE)
                .recover(cause -> Future.failedFuture(
                        ApiException.of(ErrorCode.VALIDATION, "the event was not accepted: " + cause.getMessage())));
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
