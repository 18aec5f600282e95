package io.millrace.app.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.app.cli.remote.FlowTestCommand.TestedFlow;
import io.millrace.authoring.flow.FlowState;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.core.ApiException;
import io.millrace.engine.run.flowtest.FlowTestEngine;
import io.millrace.piece.Piece;
import io.millrace.piece.builtin.Builtins;
import io.millrace.piece.builtin.http.HttpPiece;
import io.millrace.piece.catalogue.PieceCatalogue;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Executes the tests in the files of a project in this process, which has the built-in pieces and no connection to
 * anything. Fixtures answer steps of other pieces and code.
 */
final class FileTests {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    /** The default of AP_FLOW_RUN_LOG_INPUT_TRUNCATE_THRESHOLD_KB. */
    private static final long TRUNCATE_BYTES = 2_048;

    private final FlowTestEngine engine = FlowTestEngine.withoutCode(new PieceCatalogue(pieces()), TRUNCATE_BYTES);

    private static List<Piece> pieces() {
        var random = RandomGenerator.of("L64X128MixRandom");
        var pieces = new ArrayList<Piece>(Builtins.all(InstantSource.fixed(NOW), random));
        pieces.add(HttpPiece.withoutClient());
        return pieces;
    }

    /** @param definition files of a project, as {@link ProjectTree} reads them */
    List<TestedFlow> run(ObjectNode definition) {
        var tested = new ArrayList<TestedFlow>();
        for (var flow : definition.path("flows")) {
            tested.add(run(flow, tested.size()));
        }
        return tested;
    }

    private TestedFlow run(JsonNode given, int number) {
        if (!(given instanceof ObjectNode object)) {
            throw RemoteException.data("flow " + number + ": expected a JSON object");
        }
        var state = read(object);
        var version = FlowVersion.empty(state.id(), state.id(), state.displayName(), NOW)
                .with(state.content().steps());
        var tests = state.content().tests().orElse(List.of());
        var report = engine.report(version, "files", tests);
        if (!report.succeeded()) {
            throw new IllegalStateException("expected a report of flow " + state.displayName(), report.cause());
        }
        return new TestedFlow(state.displayName(), report.result());
    }

    private static FlowState read(ObjectNode flow) {
        var name =
                flow.at("/version/displayName").asText(flow.path("externalId").asText());
        try {
            return FlowState.read(flow, "flow \"" + name + "\"");
        } catch (ApiException refused) {
            throw RemoteException.data(refused.text());
        }
    }
}
