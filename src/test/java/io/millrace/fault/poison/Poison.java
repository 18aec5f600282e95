package io.millrace.fault.poison;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceSpec;
import io.millrace.piece.PieceTrigger;
import io.millrace.piece.StepContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Piece whose action ends the server process silently until the antidote file exists. */
final class Poison implements Piece {
    static final String NAME = "@activepieces/piece-poison";
    static final String VERSION = "1.0.0";
    static final String ACTION = "end_server";

    private final Path antidote;

    /** @param antidote file that makes the action harmless once it exists */
    Poison(Path antidote) {
        this.antidote = antidote;
    }

    @Override
    public PieceSpec spec() {
        return new PieceSpec(
                NAME,
                "Poison",
                "Ends.",
                "https://mill.example/skull.svg",
                List.of(),
                List.of(),
                List.of(VERSION),
                null);
    }

    @Override
    public Map<String, Action> actions() {
        return Map.of(ACTION, new EndServer());
    }

    @Override
    public Map<String, PieceTrigger> triggers() {
        return Map.of();
    }

    private final class EndServer implements Action {
        @Override
        public ActionSpec spec() {
            return new ActionSpec(ACTION, "End", "Ends the server.", Map.of(), false, true, false);
        }

        @Override
        public Future<JsonNode> run(StepContext context) {
            if (Files.exists(antidote)) {
                return Future.succeededFuture(Json.object().put("survived", true));
            }
            Runtime.getRuntime().halt(137);
            return Promise.<JsonNode>promise().future();
        }
    }
}
