package io.millrace.engine.run.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.flow.step.ActionStep;
import io.millrace.authoring.flow.step.CodeStep;
import io.millrace.authoring.flow.step.LoopStep;
import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.authoring.flow.step.RouterStep;
import io.millrace.base.core.Json;
import io.millrace.engine.run.log.InputTruncation;
import io.millrace.engine.run.log.JsonSize;
import io.millrace.engine.run.plan.CompiledFlow.Branch;
import io.millrace.engine.run.plan.CompiledFlow.Condition;
import io.millrace.engine.run.plan.CompiledFlow.Work;
import io.millrace.piece.catalogue.PieceCatalogue;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.input.PropertyProcessor;
import io.millrace.sandbox.expression.ConditionOperator;
import io.millrace.sandbox.expression.InputTemplate;
import io.millrace.sandbox.expression.Needs;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** A missing part becomes work that fails. */
final class WorkCompiler {
    private final PieceCatalogue pieces;
    private final PlanCompiler.ProgramSource code;
    private final InputTruncation truncation;

    WorkCompiler(PieceCatalogue pieces, PlanCompiler.ProgramSource code, InputTruncation truncation) {
        this.pieces = pieces;
        this.code = code;
        this.truncation = truncation;
    }

    Future<Work> compile(ActionStep step, PieceScope scope, PlanCompiler.VersionUse use) {
        return switch (step) {
            case PieceStep piece -> Future.succeededFuture(pieceWork(piece, scope));
            case CodeStep source ->
                code.program(scope, source, use)
                        .map(program -> new Work.OfCode(program, InputTemplate.compile(source.input())));
            case LoopStep loop ->
                Future.succeededFuture(new Work.OfLoop(InputTemplate.compile(TextNode.valueOf(loop.items()))));
            case RouterStep router -> Future.succeededFuture(routerWork(router));
        };
    }

    private Work routerWork(RouterStep router) {
        var branches = new ArrayList<Branch>();
        for (var branch : router.branches()) {
            branches.add(branch(branch, branches.size() + 1));
        }
        var needs = branches.stream()
                .flatMap(branch -> branch.groups().stream())
                .flatMap(List::stream)
                .flatMap(condition -> Stream.of(condition.first(), condition.second()))
                .filter(Objects::nonNull)
                .map(InputTemplate::needs)
                .reduce(Needs.NONE, Needs::and);
        var logged = truncation.shorten(router.settings());
        return new Work.OfRouter(logged, JsonSize.of(logged), List.copyOf(branches), needs);
    }

    private Work pieceWork(PieceStep step, PieceScope scope) {
        var name = step.pieceName().orElse("");
        var version = step.pieceVersion().orElse("");
        var piece = pieces.find(scope, name, version);
        if (piece.isEmpty()) {
            return new Work.Missing("PieceNotFoundError", "piece " + name + " " + version + " is not installed");
        }
        var action = piece.get().actions().get(step.actionName().orElse(""));
        if (action == null) {
            return new Work.Missing(
                    "PieceNotFoundError",
                    "piece " + name + " " + version + " has no action "
                            + step.actionName().orElse("(none)"));
        }
        var processor =
                PropertyProcessor.compile(action.spec().props(), step.settings().path("propertySettings"));
        return new Work.OfPiece(
                action,
                InputTemplate.compile(action.asWritten(step.input())),
                action.spec().requireAuth()
                        ? processor.withAuth(piece.get().spec().auth())
                        : processor,
                name);
    }

    private static Branch branch(JsonNode branch, int number) {
        var fallback = branch.path("branchType").asText().equals("FALLBACK");
        var groups = new ArrayList<List<Condition>>();
        for (var group : branch.path("conditions")) {
            var conditions = new ArrayList<Condition>();
            group.forEach(condition -> conditions.add(condition(condition)));
            groups.add(List.copyOf(conditions));
        }
        var name = branch.path("branchName").asText();
        return new Branch(fallback, List.copyOf(groups), evaluated(name, number, true), evaluated(name, number, false));
    }

    private static JsonNode evaluated(String name, int number, boolean isTaken) {
        return Json.object().put("branchName", name).put("branchIndex", number).put("evaluation", isTaken);
    }

    private static Condition condition(JsonNode condition) {
        var operator = condition.path("operator");
        return new Condition(
                ConditionOperator.of(operator.asText()).orElse(null),
                InputTemplate.compile(condition.path("firstValue")),
                condition.has("secondValue") ? InputTemplate.compile(condition.path("secondValue")) : null,
                condition.path("caseSensitive").asBoolean(false));
    }
}
