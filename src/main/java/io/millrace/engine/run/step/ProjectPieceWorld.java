package io.millrace.engine.run.step;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.Flows;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.PageRequest;
import io.millrace.engine.run.RunScope;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.PieceWorld;
import io.millrace.sandbox.expression.InputTemplate;
import io.millrace.sandbox.expression.Secrets;
import io.millrace.workspace.project.Projects;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** The view of a project for its pieces, combined from several modules. */
public final class ProjectPieceWorld implements PieceWorld {
    private static final long DEADLINE_MS = 30_000;
    private static final String AUTH = "auth";

    private final Bus bus;
    private final StepSecrets secrets;
    private final InstantSource clock;

    /** @param bindsConnections whether a connection is restricted to its own piece */
    public ProjectPieceWorld(Bus bus, boolean bindsConnections, InstantSource clock) {
        this.bus = bus;
        this.secrets = new StepSecrets(bus, DEADLINE_MS, bindsConnections);
        this.clock = clock;
    }

    @Override
    public Future<JsonNode> connection(String projectId, String pieceName, String externalId) {
        return secrets.load(projectId, Set.of(externalId), Set.of())
                .map(loaded -> loaded.usedBy(pieceName).connection(externalId))
                .recover(cause -> Future.failedFuture(NamedFailure.of(cause)));
    }

    @Override
    public Future<ObjectNode> resolved(String projectId, String pieceName, ObjectNode input, boolean bareSecrets) {
        var auth =
                input.has(AUTH) ? Optional.of(InputTemplate.compile(input.get(AUTH))) : Optional.<InputTemplate>empty();
        if (auth.filter(template ->
                        !template.isConstant() && template.connection().isEmpty())
                .isPresent()) {
            return Future.failedFuture(
                    PieceFailure.of("expected one connection as auth, found other expressions in this field"));
        }
        var fields = InputTemplate.compile(input.deepCopy().without(AUTH));
        var connections = auth.flatMap(InputTemplate::connection).map(Set::of).orElse(Set.of());
        return secrets.load(projectId, connections, fields.needs().variableNames())
                .map(loaded -> loaded.usedBy(pieceName))
                .map(loaded -> bareSecrets ? loaded.unwrapped() : loaded)
                .map(loaded -> {
                    var resolved = (ObjectNode) fields.resolve(scope(withoutConnections(loaded, fields)));
                    auth.ifPresent(template -> resolved.set(AUTH, template.resolve(scope(loaded))));
                    return resolved;
                })
                .recover(cause -> Future.failedFuture(NamedFailure.of(cause)));
    }

    private RunScope scope(Secrets loaded) {
        return new RunScope(List.of(Json.object()), clock, RandomGenerator.of("L64X128MixRandom")).withSecrets(loaded);
    }

    /** The variables only; connections that the fields refer to have no value. */
    private static Secrets withoutConnections(Secrets loaded, InputTemplate fields) {
        var none = new Secrets.LoadedConnection.Value(MissingNode.getInstance());
        return new Secrets(
                fields.needs().connectionNames().stream().collect(Collectors.toMap(name -> name, _ -> none)),
                loaded.variables());
    }

    /** All published flows on one page of the largest size, for drop-downs of pieces. */
    @Override
    public Future<JsonNode> flows(String projectId, List<String> externalIds) {
        var filter = new Flows.Filter(
                projectId,
                List.of(),
                Optional.empty(),
                externalIds,
                new Flows.Filter.UsedObjects(List.of(), List.of()),
                List.of(),
                false,
                Flows.VersionChoice.LOCKED);
        return bus.ask(new Flows.Find(filter, new PageRequest(PageRequest.LIMIT_MAX, null, false)), DEADLINE_MS)
                .map(found -> {
                    var page = Json.object();
                    var data = page.putArray("data");
                    found.data().forEach(flow -> data.add(flow.toJson()));
                    page.putNull("next");
                    return page.putNull("previous");
                });
    }

    @Override
    public Future<Optional<String>> projectExternalId(String projectId) {
        return bus.ask(new Projects.Find(projectId), DEADLINE_MS)
                .map(project -> Optional.ofNullable(project.externalId()));
    }
}
