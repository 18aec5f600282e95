package io.millrace.workspace.aiprovider;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.secret.SecretBox;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;

/** Handles {@link AiTools}. The routes admit administrators only. */
public final class AiToolService implements BusService {
    private static final String ENTITY = "AiToolConfig";

    private final Database database;
    private final SecretBox box;
    private final InstantSource clock;
    private final AiToolStore store = new AiToolStore();

    public AiToolService(Database database, SecretBox box, InstantSource clock) {
        this.database = database;
        this.box = box;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(AiTools.ListOf.class, this::list);
        bus.serve(AiTools.Save.class, this::save);
        bus.serve(AiTools.Update.class, this::update);
        bus.serve(AiTools.Delete.class, this::delete);
        bus.serve(ListToolAccess.class, this::listAccess);
    }

    private Future<JsonNode> list(AiTools.ListOf ask) {
        return database.read(tx -> store.all(tx, ask.by().platform())).map(found -> {
            var all = Json.array();
            found.forEach(tool -> all.add(tool.toJson()));
            return all;
        });
    }

    private Future<JsonNode> save(AiTools.Save ask) {
        var platformId = ask.by().platform();
        var tool = new AiTool(
                Ids.next(),
                platformId,
                ask.capability(),
                ask.service(),
                seal(platformId, ask.capability(), ask.apiKey()),
                ask.config().orElse(null),
                ask.enabled());
        return database.inTransaction(tx -> store.upsert(tx, tool, clock.instant()))
                .map(AiTool::toJson);
    }

    private Future<JsonNode> update(AiTools.Update ask) {
        return database.inTransaction(tx -> store.find(tx, ask.id(), ask.by().platform())
                .map(found -> found.orElseThrow(() -> ApiException.notFound(ENTITY, ask.id())))
                .compose(before -> {
                    var after = new AiTool(
                            before.id(),
                            before.platformId(),
                            before.capability(),
                            ask.service().orElse(before.service()),
                            ask.apiKey()
                                    .map(key -> seal(before.platformId(), before.capability(), key))
                                    .orElse(before.sealedKey()),
                            ask.config().or(before.config()),
                            ask.enabled().orElse(before.enabled()));
                    return store.update(tx, after, clock.instant()).map(after.toJson());
                }));
    }

    private Future<Nothing> delete(AiTools.Delete ask) {
        return database.inTransaction(tx -> store.delete(tx, ask.id(), ask.by().platform()))
                .compose(deleted -> deleted
                        ? Future.succeededFuture(Nothing.DONE)
                        : Future.failedFuture(ApiException.notFound(ENTITY, ask.id())));
    }

    private Future<List<ToolAccess>> listAccess(ListToolAccess ask) {
        return database.read(tx -> store.all(tx, ask.platformId()))
                .map(found -> found.stream()
                        .filter(AiTool::enabled)
                        .map(tool -> new ToolAccess(
                                tool.capability().name(),
                                tool.service().name(),
                                Json.trusted(box.open(
                                                tool.sealedKey().getBytes(),
                                                place(tool.platformId(), tool.capability())))
                                        .path("apiKey")
                                        .asText()))
                        .toList());
    }

    /** Binds the seal to the capability, not to the row's id: a platform has one service per capability. */
    private Buffer seal(String platformId, AiTool.Capability capability, String apiKey) {
        var auth = Json.text(Json.object().put("apiKey", apiKey)).getBytes(StandardCharsets.UTF_8);
        return Buffer.buffer(box.seal(auth, place(platformId, capability)));
    }

    private static String place(String platformId, AiTool.Capability capability) {
        return "ai_tool:" + platformId + ":" + capability;
    }
}
