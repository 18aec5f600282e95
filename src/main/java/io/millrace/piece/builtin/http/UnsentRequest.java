package io.millrace.piece.builtin.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.vertx.core.Future;

/** Description of the request action in a process without an HTTP client. */
final class UnsentRequest implements Action {
    @Override
    public ActionSpec spec() {
        return SendRequest.SPEC;
    }

    @Override
    public Future<JsonNode> run(StepContext context) {
        return Future.failedFuture(PieceFailure.of("This process sends no HTTP requests"));
    }
}
