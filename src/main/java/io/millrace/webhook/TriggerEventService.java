package io.millrace.webhook;

import io.millrace.bus.Bus;
import io.millrace.bus.Nothing;
import io.millrace.core.Page;
import io.millrace.flow.Flows;
import io.millrace.persistence.Database;
import io.millrace.persistence.Desk;
import io.millrace.webhook.TriggerEvents.TriggerEvent;
import io.vertx.core.Future;

/** Keeps and shows samples of triggers. */
public final class TriggerEventService implements Desk {
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
        bus.serve(TriggerEvents.Find.class, this::find);
    }

    private Future<Nothing> save(TriggerEvents.Save save) {
        return database.inTransaction(tx -> store.insert(tx, save)
                        .compose(_ -> store.deleteAllButNewest(tx, save.flowId(), KEPT_PER_FLOW_MAX)))
                .map(Nothing.DONE);
    }

    private Future<Page<TriggerEvent>> find(TriggerEvents.Find find) {
        return bus.ask(new Flows.FindTarget(find.flowId()), LOOK_UP_DEADLINE_MS)
                .compose(target -> database.read(tx -> store.page(tx, find, target.sourceName())));
    }
}
