package io.millrace.engine.run.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.base.core.Json;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.plan.CompiledFlow.Work;
import io.millrace.engine.run.redecide.OutsideCall;
import io.millrace.engine.run.redecide.RedecisionVerdict;
import java.net.URI;
import java.util.Set;

/** Calls of a rehearsal as callers read them: nothing was performed. */
final class EffectList {
    private EffectList() {}

    static ObjectNode of(ReadVersions.ReadVersion target, PreparedReplay replay) {
        var json = Json.object()
                .put("dryRun", true)
                .put("flowVersionId", target.version().id())
                .put("step", replay.path())
                .put("recordedSteps", replay.results().size());
        var effects = json.putArray("effects");
        for (var call : replay.calls()) {
            if (isOutside(target.flow(), call)) {
                effects.add(effect(target, call, outcome(call, replay.performed(), target.flow())));
            }
        }
        putEnd(json, replay.verdict());
        return json;
    }

    static ObjectNode of(ReadVersions.ReadVersion target, Iterable<OutsideCall> calls, RedecisionVerdict verdict) {
        var json = Json.object()
                .put("dryRun", true)
                .put("flowVersionId", target.version().id());
        var effects = json.putArray("effects");
        for (var call : calls) {
            var effect = effect(target, call, call.stepRecord() == null ? "missing" : "recorded");
            if (call.stepRecord() != null) {
                effect.set("output", call.stepRecord().path("output"));
            }
            effects.add(effect);
        }
        putEnd(json, verdict);
        return json;
    }

    private static boolean isOutside(CompiledFlow flow, OutsideCall call) {
        return PreparedReplay.isOutside(flow, flow.step(call.path().step()).name());
    }

    private static String outcome(OutsideCall call, Set<String> performed, CompiledFlow flow) {
        if (performed.contains(flow.step(call.path().step()).name())) {
            return "performed";
        }
        return call.stepRecord() == null ? "missing" : "recorded";
    }

    private static ObjectNode effect(ReadVersions.ReadVersion target, OutsideCall call, String answer) {
        var step = target.flow().step(call.path().step());
        var json = Json.object()
                .put("step", step.name())
                .put("path", call.text())
                .put("displayName", step.displayName())
                .put("type", step.type())
                .put("answer", answer);
        target.version()
                .steps()
                .findAction(step.name())
                .filter(PieceStep.class::isInstance)
                .map(PieceStep.class::cast)
                .ifPresent(piece -> json.put("pieceName", piece.pieceName().orElse(null))
                        .put("pieceVersion", piece.pieceVersion().orElse(null))
                        .put("actionName", piece.actionName().orElse(null)));
        putRequest(json, call.input());
        var connections = json.putArray("connections");
        if (step.work() instanceof Work.OfPiece work) {
            work.input().needs().connectionNames().forEach(connections::add);
        }
        json.set("input", call.input());
        return json;
    }

    private static void putRequest(ObjectNode json, JsonNode input) {
        if (input.path("method").isTextual()) {
            json.put("method", input.path("method").asText());
        }
        if (input.path("url").isTextual()) {
            try {
                var host = URI.create(input.path("url").asText().strip()).getHost();
                if (host != null) {
                    json.put("host", host);
                }
            } catch (IllegalArgumentException malformed) {
                json.putNull("host");
            }
        }
    }

    private static void putEnd(ObjectNode json, RedecisionVerdict verdict) {
        switch (verdict) {
            case RedecisionVerdict.Unknown(var path, var reason) ->
                json.putObject("unknownFrom").put("step", path).put("reason", reason);
            case RedecisionVerdict.NotRecomputable(var path, var reason) ->
                json.putObject("unknownFrom").put("step", path).put("reason", reason);
            case RedecisionVerdict.Same _, RedecisionVerdict.Different _ -> json.putNull("unknownFrom");
        }
    }
}
