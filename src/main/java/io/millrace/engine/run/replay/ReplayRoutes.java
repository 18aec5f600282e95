package io.millrace.engine.run.replay;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.input.Fields;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.engine.run.RunQueries;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

public final class ReplayRoutes implements RouteGroup {
    private static final Pattern VERSIONS = Pattern.compile("original|published|draft");
    private static final int ITERATION_MAX = 10_000_000;

    private final Bus bus;

    public ReplayRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        var ofRun = Access.projectOfRow(Permission.WRITE_RUN, RunQueries.ProjectOf::new);
        routes.post("/v1/flow-runs/:id/replay", ofRun, ReplayRoutes::readReplay, this::replay);
    }

    private record ReplayRequest(String runId, Replays.Extent extent, boolean isDryRun) {}

    private static ReplayRequest readReplay(Input input) {
        var body = input.body();
        var extent = new Replays.Extent(
                body.text("step"),
                readIterations(body),
                body.isAbsent("input") ? Optional.empty() : Optional.of(body.raw("input")),
                body.optionalText("version", VERSIONS)
                        .filter(version -> VERSIONS.matcher(version).matches())
                        .map(version -> Replays.VersionChoice.valueOf(version.toUpperCase(Locale.ROOT)))
                        .orElse(Replays.VersionChoice.ORIGINAL),
                readEffects(body));
        return new ReplayRequest(
                input.id("id"), extent, body.optionalFlag("dryRun").orElse(false));
    }

    private static Replays.LoopIterations readIterations(Fields body) {
        if (body.isAbsent("iteration")) {
            return Replays.LoopIterations.NONE;
        }
        if (!body.raw("iteration").isObject()) {
            return new Replays.LoopIterations(body.optionalInteger("iteration", 0, ITERATION_MAX), Map.of());
        }
        var byLoop = new LinkedHashMap<String, Integer>();
        var loops = body.inner("iteration");
        body.raw("iteration")
                .fieldNames()
                .forEachRemaining(loop ->
                        loops.optionalInteger(loop, 0, ITERATION_MAX).ifPresent(index -> byLoop.put(loop, index)));
        return new Replays.LoopIterations(Optional.empty(), byLoop);
    }

    private static Replays.Effects readEffects(Fields body) {
        var effects = body.raw("effects");
        if (effects.isArray()) {
            return new Replays.Effects(false, new LinkedHashSet<>(body.texts("effects")));
        }
        if (!isOneOf(effects, "recorded", "perform")) {
            body.refuse("effects", "Invalid input: expected \"recorded\", \"perform\" or an array of step names");
        }
        return new Replays.Effects(effects.asText().equals("perform"), Set.of());
    }

    private static boolean isOneOf(JsonNode value, String first, String second) {
        return value.isTextual()
                && (value.asText().equals(first) || value.asText().equals(second));
    }

    private Future<ApiReply> replay(ApiCall call, ReplayRequest wanted) {
        return wanted.isDryRun()
                ? bus.ask(new Replays.Rehearse(wanted.runId(), wanted.extent()), call.deadlineMs())
                        .map(ApiReply::ok)
                : bus.ask(new Replays.Start(wanted.runId(), wanted.extent(), call.principal()), call.deadlineMs())
                        .map(run -> ApiReply.ok(run.toJson(call.principal())));
    }
}
