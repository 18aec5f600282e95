package io.millrace.piece.npm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.CronSchedule;
import io.millrace.piece.Handshake;
import io.millrace.piece.HttpAnswer;
import io.millrace.piece.PieceTrigger;
import io.millrace.piece.RunStart;
import io.millrace.piece.TriggerContext;
import io.millrace.piece.TriggerSpec;
import io.millrace.sandbox.node.call.NodeCall;
import io.millrace.sandbox.node.call.NodeResult;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A trigger of a package (contract pieces 3, 7). */
final class NpmTrigger implements PieceTrigger {
    /** The caller's own limit is shorter; this one ends an abandoned process. */
    private static final long HOOK_MS_MAX = 180_000;

    private final NpmHost host;
    private final NpmHost.Target target;
    private final TriggerSpec spec;
    private final Handshake handshake;
    private final Optional<String> renewCron;
    private final boolean preparesRuns;
    private final boolean takesBareSecrets;

    private NpmTrigger(
            NpmHost host,
            NpmHost.Target target,
            TriggerSpec spec,
            Handshake handshake,
            Optional<String> renewCron,
            boolean preparesRuns,
            boolean takesBareSecrets) {
        this.host = host;
        this.target = target;
        this.spec = spec;
        this.handshake = handshake;
        this.renewCron = renewCron;
        this.preparesRuns = preparesRuns;
        this.takesBareSecrets = takesBareSecrets;
    }

    static NpmTrigger of(
            NpmHost host, NpmHost.Target target, String name, JsonNode definition, boolean takesBareSecrets) {
        var renewal = definition.path("renewConfiguration");
        return new NpmTrigger(
                host,
                target,
                NpmDefinitions.trigger(name, definition),
                NpmDefinitions.handshake(definition.path("handshakeConfiguration")),
                renewal.path("strategy").asText().equals("CRON")
                        ? Optional.ofNullable(renewal.path("cronExpression").asText(null))
                        : Optional.empty(),
                definition.path("preparesRuns").asBoolean(false),
                takesBareSecrets);
    }

    @Override
    public TriggerSpec spec() {
        return spec;
    }

    @Override
    public boolean takesBareSecrets() {
        return takesBareSecrets;
    }

    @Override
    public Handshake handshake() {
        return handshake;
    }

    @Override
    public Optional<String> renewCron() {
        return renewCron;
    }

    @Override
    public Future<List<JsonNode>> run(TriggerContext context) {
        return hook("run", NodeCall.Urgency.RUN, context).map(returned -> items(returned.value()));
    }

    @Override
    public Future<List<JsonNode>> test(TriggerContext context) {
        return hook("test", NodeCall.Urgency.RUN, context).map(returned -> items(returned.value()));
    }

    private static List<JsonNode> items(JsonNode list) {
        var items = new ArrayList<JsonNode>();
        list.forEach(items::add);
        return items;
    }

    @Override
    public Future<Void> onEnable(TriggerContext context) {
        return hook("enable", NodeCall.Urgency.META, context).map(returned -> {
            var schedule = returned.hooks().path("schedule");
            if (schedule.isObject()) {
                context.setSchedule(scheduleOf(schedule));
            }
            returned.hooks().path("listeners").forEach(listener -> {
                var events = new ArrayList<String>();
                listener.path("events").forEach(event -> events.add(event.asText()));
                context.createListeners(events, listener.path("identifierValue").asText());
            });
            return null;
        });
    }

    /** Newer pieces may declare an interval. */
    private static CronSchedule scheduleOf(JsonNode wanted) {
        return wanted.has("intervalMs")
                ? IntervalSchedule.of(wanted.path("intervalMs").asLong())
                : new CronSchedule(
                        wanted.path("cronExpression").asText(),
                        wanted.path("timezone").asText("UTC"));
    }

    @Override
    public boolean preparesRuns() {
        return preparesRuns;
    }

    @Override
    public Future<Void> onStart(RunStart start, TriggerContext context) {
        return hook("start", NodeCall.Urgency.RUN, context, start.runId()).mapEmpty();
    }

    @Override
    public Future<Void> onDisable(TriggerContext context) {
        return hook("disable", NodeCall.Urgency.META, context).mapEmpty();
    }

    @Override
    public Future<Void> onRenew(TriggerContext context) {
        return hook("renew", NodeCall.Urgency.META, context).mapEmpty();
    }

    @Override
    public Future<HttpAnswer> onHandshake(TriggerContext context) {
        return hook("handshake", NodeCall.Urgency.META, context).map(returned -> Answers.read(returned.value()));
    }

    private Future<NodeResult.Returned> hook(String operation, NodeCall.Urgency urgency, TriggerContext context) {
        return hook(operation, urgency, context, null);
    }

    /** @param runId null where no run is concerned */
    private Future<NodeResult.Returned> hook(
            String operation, NodeCall.Urgency urgency, TriggerContext context, String runId) {
        var auth = context.auth().orElse(null);
        var files = new FileMarkers(host.vertx(), host.exchange(target));
        return files.marked(context.props().deepCopy().without("auth"))
                .compose(props -> host.call(
                        target,
                        urgency,
                        frame(operation, context, props, auth, runId),
                        new TriggerQuestions(host, target.id().name(), context),
                        HOOK_MS_MAX))
                .compose(running -> {
                    running.call().result().onSuccess(result -> log(result, context, Censor.of(auth)));
                    return running.returned(target.id(), Censor.of(auth));
                })
                .eventually(() -> {
                    files.remove();
                    return Future.succeededFuture();
                });
    }

    private static void log(NodeResult result, TriggerContext context, Censor censor) {
        var received = Json.object();
        received.set("input", context.props().deepCopy().without("auth"));
        received.set("payload", context.payload());
        var log = CallLog.of(result, "trigger", received);
        context.wrote(
                censor.applied(log.printed().standardOutput()),
                censor.applied(log.printed().standardError()),
                log.warnings());
    }

    private ObjectNode frame(String operation, TriggerContext context, JsonNode props, JsonNode auth, String runId) {
        var runtime = host.runtime(context.projectId(), context.flowId(), context.flowVersionId(), runId);
        var frame = host.frame(target, operation, runtime)
                .put("trigger", spec.name())
                .put("stepName", spec.name())
                .put("webhookUrl", context.webhookUrl())
                .put("isRepublish", context.isRepublish());
        frame.set("props", props);
        frame.set("payload", context.payload());
        if (auth != null) {
            frame.set("auth", auth);
        }
        return frame;
    }
}
