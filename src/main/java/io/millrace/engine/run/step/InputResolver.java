package io.millrace.engine.run.step;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.engine.run.RunScope;
import io.millrace.piece.PieceCrash;
import io.millrace.sandbox.code.CodeExpression;
import io.millrace.sandbox.code.CodeResult;
import io.millrace.sandbox.expression.InputTemplate;
import io.millrace.sandbox.expression.Needs;
import io.millrace.sandbox.expression.ResolvedInput;
import io.millrace.sandbox.program.CodeEngines;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Resolves inputs of steps: loads their secrets, and evaluates expressions beyond the grammar in the sandbox. */
final class InputResolver {
    private final CodeEngines code;

    InputResolver(CodeEngines code) {
        this.code = code;
    }

    /** Fails when the step was canceled meanwhile. */
    Future<ResolvedInput> resolve(InputTemplate template, RunScope scope, RunStepContext context, boolean bareSecrets) {
        return prepare(template.needs(), scope, context, bareSecrets).map(ready -> {
            context.cancellation().refuseWhenCancelled();
            return detached(template.resolveBoth(ready), ready);
        });
    }

    /**
     * The scope with all values that an input needs: secrets are loaded, tokens beyond the grammar evaluated in the
     * sandbox.
     */
    Future<RunScope> prepare(Needs needs, RunScope scope, RunStepContext context, boolean bareSecrets) {
        if (needs.isEmpty()) {
            return Future.succeededFuture(scope);
        }
        var secrets = needs.hasSecrets()
                ? context.secrets(needs.connectionNames(), needs.variableNames())
                : Future.succeededFuture(scope.secrets());
        return secrets.compose(loaded -> evaluated(needs.beyondGrammar(), scope, context)
                .map(values -> scope.withSecrets(bareSecrets ? loaded.unwrapped() : loaded)
                        .withEvaluated(values)));
    }

    /** Detaches both forms of an input from the journal, which changes while the step runs. */
    static ResolvedInput detached(ResolvedInput resolved, RunScope scope) {
        return new ResolvedInput(scope.detached(resolved.value()), scope.detached(resolved.censored()));
    }

    private Future<Map<String, JsonNode>> evaluated(Set<String> sources, RunScope scope, RunStepContext context) {
        var values = new HashMap<String, JsonNode>();
        var globals = scope.globals();
        var evaluations = new ArrayList<Future<CodeResult>>();
        for (var source : sources) {
            var running = code.evaluate(
                    new CodeExpression(context.projectId(), source, globals, CodeExecution.limits(context)));
            context.whenCancelled(running::cancel);
            evaluations.add(running.result().map(result -> {
                if (result instanceof CodeResult.Returned returned && returned.output() != null) {
                    values.put(source, returned.output());
                }
                return endedWithin(result);
            }));
        }
        return Future.all(evaluations).map(values);
    }

    /**
     * An expression that throws evaluates to empty text, but one that times out must fail, because it would delay every
     * run that uses it.
     */
    private static CodeResult endedWithin(CodeResult result) {
        return switch (result) {
            case CodeResult.TimedOut _ -> throw new PieceCrash(PieceCrash.Cause.TIME, "an expression took too long");
            case CodeResult.MemoryExceeded _ ->
                throw new PieceCrash(PieceCrash.Cause.MEMORY, "an expression used too much memory");
            case CodeResult.Killed _ -> throw new PieceCrash(PieceCrash.Cause.INTERNAL, CodeExecution.KILLED);
            case CodeResult.Returned _, CodeResult.Threw _, CodeResult.Cancelled _ -> result;
        };
    }
}
