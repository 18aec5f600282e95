package io.millrace.integration.event;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.Json;
import io.millrace.base.net.Fence;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundRequest;
import io.millrace.base.net.WebAddress;
import io.millrace.base.trace.Span;
import io.millrace.base.trace.TraceContext;
import io.millrace.base.trace.Tracer;
import io.millrace.engine.run.Runs;
import io.millrace.engine.webhook.Webhooks;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Sends one event to one address (contract admin-api 23). A webhook of this server is called in process, because the guard
 * refuses the server's own address.
 */
public final class EventSender {
    private static final Pattern OWN_PATH = Pattern.compile("([0-9a-zA-Z]{21})(/draft|/test)?(/sync)?/?(\\?.*)?");

    private static final int ANSWER_BYTES_MAX = 64 * 1024;
    private static final long ANSWER_TIME_MS = 2_000;

    private final Bus bus;
    private final OutboundHttp outbound;
    private final List<Supplier<String>> ownUrls;
    private final Duration timeout;
    private final Tracer tracer;
    private final InstantSource clock;

    /**
     * @param ownUrls addresses of this server, by which its own webhooks are recognized
     */
    public EventSender(
            Bus bus,
            OutboundHttp outbound,
            List<Supplier<String>> ownUrls,
            Duration timeout,
            Tracer tracer,
            InstantSource clock) {
        this.bus = bus;
        this.outbound = outbound;
        this.ownUrls = List.copyOf(ownUrls);
        this.timeout = timeout;
        this.tracer = tracer;
        this.clock = clock;
    }

    List<String> ownWebhooks() {
        return ownUrls.stream()
                .map(own -> own.get() + "/api/v1/webhooks/")
                .distinct()
                .toList();
    }

    /**
     * Sends an event. Must be called on an event loop. Fails when the receiver did not accept the event; the message gives the
     * reason and contains no payload.
     *
     * @param deliveryId id of the delivery, the same for each attempt
     * @param secret signs the event; empty for none
     * @param fence permission to send, checked before the request leaves
     */
    Future<Void> send(
            String url, String deliveryId, String action, JsonNode event, Optional<String> secret, Fence fence) {
        if (!tracer.isOn()) {
            return send(url, new Delivery(deliveryId, action, Optional.empty(), fence), event, secret);
        }
        var own = tracer.begin("delivery:" + deliveryId, Optional.empty());
        var begun = clock.instant();
        return send(url, new Delivery(deliveryId, action, Optional.of(own.traceparent()), fence), event, secret)
                .onComplete(done -> tracer.record(new Span(
                        own,
                        "",
                        "deliver event",
                        Span.Kind.INTERNAL,
                        begun,
                        clock.instant(),
                        Map.of("millrace.event.action", action, "millrace.event.delivery", deliveryId),
                        done.succeeded() ? "" : "FAILED")));
    }

    private record Delivery(String id, String action, Optional<String> traceparent, Fence fence) {}

    private Future<Void> send(String url, Delivery delivery, JsonNode event, Optional<String> secret) {
        var path = OWN_PATH.matcher(ownWebhooks().stream()
                .filter(url::startsWith)
                .findFirst()
                .map(own -> url.substring(own.length()))
                .orElse(""));
        if (path.matches()) {
            return start(path.group(1), path.group(2) != null, delivery, event);
        }
        return post(url, delivery, Buffer.buffer(DeepJson.bytes(event)), secret);
    }

    /** The delivery's id keeps a second try from starting a second run. */
    private Future<Void> start(String flowId, boolean isDraft, Delivery delivery, JsonNode event) {
        var payload = Json.object().put("method", "POST");
        var headers = payload.putObject("headers").put("content-type", "application/json");
        delivery.traceparent().ifPresent(header -> headers.put(TraceContext.HEADER, header));
        payload.putObject("queryParams");
        payload.set("body", event);
        var variant = isDraft ? Webhooks.Variant.DRAFT : Webhooks.Variant.ASYNC;
        var received = new Webhooks.Received(
                flowId,
                variant,
                payload,
                List.of(),
                Runs.Start.ParentRun.none(false),
                new Webhooks.Received.CallMarks(delivery.id(), null, null),
                timeout.toMillis());
        return bus.ask(received, timeout.toMillis()).compose(EventSender::taken);
    }

    private static Future<Void> taken(Webhooks.Outcome outcome) {
        return switch (outcome) {
            case Webhooks.Outcome.Accepted _, Webhooks.Outcome.Repeated _ -> Future.succeededFuture();
            default ->
                Future.failedFuture("expected a flow that accepts events, found "
                        + outcome.getClass().getSimpleName());
        };
    }

    private Future<Void> post(String url, Delivery delivery, Buffer body, Optional<String> secret) {
        var plain = OutboundRequest.of("POST", WebAddress.parse(url))
                .withHeaders(Map.of(
                        "content-type",
                        "application/json",
                        "X-Millrace-Event",
                        delivery.action(),
                        "X-Millrace-Delivery",
                        delivery.id()))
                .withBody(body)
                .withTimeoutMs(timeout.toMillis());
        var request = delivery.traceparent()
                .map(header -> plain.withHeader(TraceContext.HEADER, header))
                .orElse(plain);
        var signed = secret.map(
                        known -> request.withHeader(Signature.HEADER, Signature.of(known, clock.instant(), body)))
                .orElse(request);
        return outbound.fencedBy(delivery::fence).open(signed).compose(response -> {
            // Only the status matters; the body may be endless, so it is discarded up to a limit.
            response.drop(ANSWER_BYTES_MAX, ANSWER_TIME_MS);
            return response.status() >= 200 && response.status() < 300
                    ? Future.succeededFuture()
                    : Future.failedFuture("expected status 2xx, found " + response.status());
        });
    }
}
