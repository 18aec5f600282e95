package io.millrace.engine.run.redecide;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.plan.CompiledFlow.Work;
import io.millrace.engine.run.step.NamedFailure;
import io.millrace.piece.ErrorMessage;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.input.FileFetcher;
import io.millrace.piece.input.FileValue;
import io.vertx.core.Future;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Computation of a pure step on the caller's thread. */
final class PureStep {
    private final CompiledFlow flow;

    PureStep(CompiledFlow flow) {
        this.flow = flow;
    }

    /**
     * Result of a computation.
     *
     * @param failure message of a failed step; null after success
     * @param wasRefused whether the step needs more than its input: a remote file, or a worker thread
     */
    record Done(@Nullable JsonNode output, @Nullable String failure, boolean stopped, boolean wasRefused) {
        private static final Done REFUSED = new Done(null, null, false, true);

        private static Done failed(Throwable cause) {
            return new Done(null, ErrorMessage.of(NamedFailure.of(cause)), false, false);
        }
    }

    Done run(String name, Work.OfPiece piece, JsonNode input) {
        var files = new RefusingFiles();
        try {
            var given = input instanceof ObjectNode object ? object : Json.object();
            var processed = piece.processor().apply(given, files);
            if (files.refused || !processed.isComplete()) {
                return Done.REFUSED;
            }
            if (processed.failed()) {
                return Done.failed(processed.cause());
            }
            var context = new PureStepContext(flow, name, processed.result());
            var result = piece.action().run(context);
            if (context.isRefused() || !result.isComplete()) {
                return Done.REFUSED;
            }
            return result.succeeded()
                    ? new Done(result.result(), null, context.isStopped(), false)
                    : Done.failed(result.cause());
        } catch (RuntimeException | StackOverflowError thrown) {
            return Done.failed(thrown);
        }
    }

    private static final class RefusingFiles implements FileFetcher {
        private boolean refused;

        @Override
        public Future<Optional<FileValue>> fetch(String url) {
            refused = true;
            return Future.failedFuture(PieceFailure.of("A re-decision reads no remote file"));
        }
    }
}
