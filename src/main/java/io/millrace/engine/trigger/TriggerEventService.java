package io.millrace.engine.trigger;

import io.millrace.authoring.flow.Flows;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Page;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.engine.trigger.TriggerEvents.TriggerEvent;
import io.vertx.core.Future;

/** Keeps and shows samples of triggers. */
public final class TriggerEventService implements BusService {
    private static final int KEPT_PER_FLOW_MAX = 50;
    private static final long LOOK_UP_DEADLINE_MS = 10_000;

    private final Database database;
    private final TriggerEventStore store = new TriggerEventStore();
    private Bus bus;

    public TriggerEventService(Database database) {
        this.database = database;
    }

    @Override
    public void open(Bus openedOn) {
        this.bus = openedOn;
        bus.serve(TriggerEvents.Save.class, this::save);
        bus.serve(TriggerEvents.SaveMock.class, this::saveMock);
        bus.serve(TriggerEvents.Find.class, this::find);
    }

    private Future<TriggerEvent> save(TriggerEvents.Save save) {
        return database.inTransaction(tx -> store.insert(tx, save)
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
                .compose(target -> database.read(tx -> store.page(tx, find, target.sourceName())));
    }
}
