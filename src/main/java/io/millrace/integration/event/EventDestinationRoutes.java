package io.millrace.integration.event;

import io.millrace.account.audit.EventAction;
import io.millrace.base.access.Access;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.input.Fields;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.base.net.WebAddress;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Routes of event destinations (contract admin-api 23). The secret and the log of deliveries are an extension. */
public final class EventDestinationRoutes implements RouteGroup {
    private static final int PAGE_LIMIT_DEFAULT = 10;
    private static final int URL_LENGTH_MAX = 2_048;

    private final Bus bus;
    private final long testDeadlineMs;

    public EventDestinationRoutes(Bus bus, long testDeadlineMs) {
        this.bus = bus;
        this.testDeadlineMs = testDeadlineMs;
    }

    @Override
    public void mount(Routes routes) {
        var access = Access.platformAdmin();
        routes.post("/v1/event-destinations", access, Parameters::read, this::create);
        routes.get("/v1/event-destinations", access, input -> input.query().page(PAGE_LIMIT_DEFAULT), this::find);
        routes.post("/v1/event-destinations/test", Access.platformAdminUsers(), Sample::read, this::test);
        routes.post(
                "/v1/event-destinations/:id",
                access,
                input -> new Change(input.id("id"), Parameters.read(input)),
                this::update);
        routes.delete("/v1/event-destinations/:id", access, input -> input.id("id"), this::delete);
        routes.get("/v1/event-destinations/:id/deliveries", access, Log::read, this::findDeliveries);
    }

    private record Parameters(List<EventAction> events, String url) {
        static Parameters read(Input input) {
            var body = input.body();
            return new Parameters(readEvents(body), readUrl(body));
        }
    }

    private record Change(String id, Parameters parameters) {}

    private record Sample(String url, EventAction event) {
        static Sample read(Input input) {
            var body = input.body();
            var event = body.optionalText("event").flatMap(text -> readEvent(body, "event", text));
            return new Sample(readUrl(body), event.orElse(EventAction.FLOW_CREATED));
        }
    }

    private record Log(String id, PageRequest page) {
        static Log read(Input input) {
            return new Log(input.id("id"), input.query().page(PAGE_LIMIT_DEFAULT));
        }
    }

    private static List<EventAction> readEvents(Fields body) {
        var events = new ArrayList<EventAction>();
        if (body.isAbsent("events")) {
            body.refuse("events", "Invalid input: expected array, received undefined");
        }
        var texts = body.texts("events");
        for (var index = 0; index < texts.size(); index++) {
            readEvent(body, "events/" + index, texts.get(index)).ifPresent(events::add);
        }
        return events.stream().distinct().toList();
    }

    private static Optional<EventAction> readEvent(Fields body, String place, String text) {
        var event = EventAction.of(text);
        if (event.isEmpty()) {
            body.refuse(place, "Invalid option: expected an action of the catalogue");
        }
        return event;
    }

    private static String readUrl(Fields body) {
        var url = body.text("url");
        if (body.isAbsent("url")) {
            return url;
        }
        try {
            if (url.length() > URL_LENGTH_MAX || WebAddress.parse(url).host().isEmpty()) {
                body.refuse("url", "Invalid URL");
            }
        } catch (IllegalArgumentException malformed) {
            body.refuse("url", "Invalid URL");
        }
        return url.strip();
    }

    private Future<ApiReply> create(ApiCall call, Parameters parameters) {
        return bus.ask(
                        new EventDestinations.Create(call.principal(), parameters.events(), parameters.url()),
                        call.deadlineMs())
                .map(created -> ApiReply.ok(created.destination().toJson().put("secret", created.secret())));
    }

    private Future<ApiReply> find(ApiCall call, PageRequest page) {
        return bus.ask(new EventDestinations.Find(call.principal(), page), call.deadlineMs())
                .map(found -> ApiReply.page(found, EventDestination::toJson));
    }

    private Future<ApiReply> test(ApiCall call, Sample sample) {
        return bus.ask(new EventDestinations.Test(call.principal(), sample.url(), sample.event()), testDeadlineMs)
                .map(_ -> ApiReply.okEmpty());
    }

    private Future<ApiReply> update(ApiCall call, Change change) {
        var parameters = change.parameters();
        return bus.ask(
                        new EventDestinations.Update(
                                call.principal(), change.id(), parameters.events(), parameters.url()),
                        call.deadlineMs())
                .map(changed -> ApiReply.ok(changed.toJson()));
    }

    private Future<ApiReply> delete(ApiCall call, String id) {
        return bus.ask(new EventDestinations.Delete(call.principal(), id), call.deadlineMs())
                .map(_ -> ApiReply.okEmpty());
    }

    private Future<ApiReply> findDeliveries(ApiCall call, Log log) {
        return bus.ask(new EventDestinations.FindDeliveries(call.principal(), log.id(), log.page()), call.deadlineMs())
                .map(found -> ApiReply.page(found, EventDelivery::toJson));
    }
}
