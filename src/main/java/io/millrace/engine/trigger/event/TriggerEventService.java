package io.millrace.engine.trigger.event;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.millrace.authoring.flow.Flows;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Page;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.engine.trigger.event.TriggerEvents.TriggerEvent;
import io.millrace.piece.file.FileType;
import io.millrace.piece.file.FlowFiles;
import io.millrace.piece.file.StoredFile;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;

public final class TriggerEventService implements BusService {
    private static final int KEPT_PER_FLOW_MAX = 50;
    private static final long LOOK_UP_DEADLINE_MS = 10_000;

    private final Database database;
    private final FlowFiles files;
    private final Duration retention;
    private final InstantSource clock;
    private final TriggerEventStore store = new TriggerEventStore();
    private Bus bus;

    /** @param retention retention period of a payload (AP_EXECUTION_DATA_RETENTION_DAYS) */
    public TriggerEventService(Database database, FlowFiles files, Duration retention, InstantSource clock) {
        this.database = database;
        this.files = files;
        this.retention = retention;
        this.clock = clock;
    }

    @Override
    public void open(Bus openedOn) {
        this.bus = openedOn;
        bus.serve(TriggerEvents.Save.class, this::save);
        bus.serve(TriggerEvents.SaveMock.class, this::saveMock);
        bus.serve(TriggerEvents.Find.class, this::find);
        bus.serve(TriggerEvents.FindOf.class, this::findOf);
    }

    private Future<TriggerEvent> save(TriggerEvents.Save save) {
        var data = Buffer.buffer(Json.bytes(save.payload()));
        var now = clock.instant();
        var file = StoredFile.ofFlow(
                        Ids.next(),
                        now,
                        save.projectId(),
                        FileType.TRIGGER_EVENT_FILE,
                        "event.json",
                        "application/json",
                        data.length(),
                        Json.object().put("flowId", save.flowId()))
                .until(now.plus(retention));
        return database.inTransaction(tx -> files.put(tx, file, data)
                .compose(_ -> store.insert(tx, save, file.id()))
                .compose(event -> store.deleteAllButNewest(tx, save.flowId(), KEPT_PER_FLOW_MAX)
                        .map(event)));
    }

    private Future<TriggerEvent> saveMock(TriggerEvents.SaveMock mock) {
        return target(mock.projectId(), mock.flowId())
                .compose(target -> save(
                        new TriggerEvents.Save(mock.projectId(), mock.flowId(), target.sourceName(), mock.payload())));
    }

    private Future<Flows.Target> target(String projectId, String flowId) {
        return bus.ask(new Flows.FindTarget(flowId), LOOK_UP_DEADLINE_MS).map(target -> {
            if (!target.projectId().equals(projectId)) {
                throw ApiException.notFound("flow", flowId);
            }
            return target;
        });
    }

    private Future<Page<TriggerEvent>> find(TriggerEvents.Find find) {
        return bus.ask(new Flows.FindTarget(find.flowId()), LOOK_UP_DEADLINE_MS)
                .compose(target -> findOf(
                        new TriggerEvents.FindOf(find.projectId(), find.flowId(), target.sourceName(), find.page())));
    }

    private Future<Page<TriggerEvent>> findOf(TriggerEvents.FindOf find) {
        return database.read(tx -> store.page(tx, find).compose(page -> withPayloads(tx, find.projectId(), page)));
    }

    private Future<Page<TriggerEvent>> withPayloads(Tx tx, String projectId, Page<TriggerEvent> page) {
        var fileIds = page.data().stream().map(TriggerEvent::fileId).toList();
        return files.find(tx, projectId, fileIds).map(contents -> {
            var payloads = new HashMap<String, JsonNode>();
            contents.forEach(content -> payloads.put(
                    content.file().id(), Json.trusted(content.data().getBytes())));
            return page.map(event -> event.with(payloads.getOrDefault(event.fileId(), NullNode.getInstance())));
        });
    }
}
