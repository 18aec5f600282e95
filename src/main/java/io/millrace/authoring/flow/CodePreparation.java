package io.millrace.authoring.flow;

import io.millrace.authoring.flow.editor.PublishCheck;
import io.millrace.authoring.flow.editor.StepProblems;
import io.millrace.authoring.flow.step.CodeStep;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.Database;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.sandbox.npm.BadPackage;
import io.millrace.sandbox.program.CodePrograms;
import io.millrace.sandbox.program.CodeSource;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * Prepares the code of a draft before publication: compiles programs, installs and locks npm packages. Takes up to
 * minutes, so it runs outside the transaction that publishes.
 */
final class CodePreparation {
    private final Database database;
    private final FlowStore store;
    private final VersionStore versions;
    private final PublishCheck publishCheck;
    private final StepProblems problems;
    private final CodePrograms programs;

    CodePreparation(
            Database database,
            FlowStore store,
            VersionStore versions,
            PublishCheck publishCheck,
            StepProblems problems,
            CodePrograms programs) {
        this.database = database;
        this.store = store;
        this.versions = versions;
        this.publishCheck = publishCheck;
        this.problems = problems;
        this.programs = programs;
    }

    record Ready(List<Source> sources) {
        static final Ready NOTHING = new Ready(List.of());

        Ready {
            sources = List.copyOf(sources);
        }
    }

    record Source(String stepName, CodeSource code) {}

    private record Draft(PieceScope scope, FlowVersion version) {}

    /** Prepares the latest version of a flow; a missing flow needs no preparation. */
    Future<Ready> prepare(String flowId) {
        return database.read(tx -> store.findPieceScope(tx, flowId)
                        .compose(scope -> versions.findLatest(tx, flowId)
                                .map(latest -> scope.flatMap(of -> latest.map(version -> new Draft(of, version))))))
                .compose(draft -> draft.isEmpty()
                        ? Future.succeededFuture(Ready.NOTHING)
                        : prepare(draft.get().scope(), draft.get().version()));
    }

    private Future<Ready> prepare(PieceScope scope, FlowVersion version) {
        if (version.isCurrent()) {
            // A version that would be rejected needs no packages.
            publishCheck.check(version, step -> problems.told(scope, step));
        }
        var sources = sources(version);
        var done = Future.<Void>succeededFuture();
        for (var source : sources) {
            done = done.compose(_ -> prepare(scope, source));
        }
        return done.map(new Ready(sources));
    }

    private Future<Void> prepare(PieceScope scope, Source source) {
        return programs.prepare(scope.platformId().orElse(""), source.code())
                .<Void>mapEmpty()
                .recover(failure -> Future.failedFuture(
                        failure instanceof BadPackage refused
                                ? refusal(source.stepName(), refused.getMessage())
                                : failure));
    }

    /** Reports the state of the code of a version without preparing any of it. */
    Future<List<CodeStepReport>> report(FlowVersion version) {
        return database.read(tx -> store.findPieceScope(tx, version.flowId())).compose(scope -> {
            var platformId = scope.flatMap(PieceScope::platformId).orElse("");
            var reports = new ArrayList<CodeStepReport>();
            var done = Future.<Void>succeededFuture();
            for (var source : sources(version)) {
                done = done.compose(_ -> programs.report(platformId, source.code()))
                        .map(report -> {
                            reports.add(new CodeStepReport(source.stepName(), report));
                            return null;
                        });
            }
            return done.map(_ -> List.copyOf(reports));
        });
    }

    /** Accepts a version that is valid and prepared; a draft may have been changed meanwhile. */
    void check(FlowVersion version, Ready ready) {
        publishCheck.check(version);
        for (var source : sources(version)) {
            if (!ready.sources().contains(source)) {
                throw refusal(
                        source.stepName(), "the step was changed while the flow was being published; publish again");
            }
        }
    }

    private static List<Source> sources(FlowVersion version) {
        return version.steps().steps().stream()
                .filter(step -> step instanceof CodeStep code && !code.isSkipped())
                .map(CodeStep.class::cast)
                .map(code -> new Source(code.name(), code.source()))
                .toList();
    }

    private static ApiException refusal(String stepName, String text) {
        var field = "settings/sourceCode/" + (text.startsWith("Python ") ? "language" : "packageJson");
        return ApiException.of(
                ErrorCode.FLOW_OPERATION_INVALID,
                Json.object()
                        .put("message", "step " + stepName + ", field " + field + ": " + text)
                        .put("stepName", stepName)
                        .put("field", field));
    }
}
