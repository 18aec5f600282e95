package io.millrace.engine.run.start;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.engine.run.RunEnvironment;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.log.RecordText;
import io.millrace.engine.run.machine.RowEvent;
import io.millrace.engine.run.machine.RunRow;
import io.millrace.engine.trigger.RunIntake;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Takes runs in as rows without an owner, in the transaction of whoever starts them; the sweeper of any node then gives
 * them one. Drops items whose {@code _dedupe_key} came lately (contract flows-and-engine 18.6).
 */
public final class RunIngest implements RunIntake, BusService {
    private static final String DEDUPE_KEY = "_dedupe_key";
    private static final int ROWS_AT_ONCE = 500;

    private final Bus bus;
    private final Database database;
    private final InstantSource clock;
    private final RunIngestStore store = new RunIngestStore();

    public RunIngest(Bus bus, Database database, InstantSource clock) {
        this.bus = bus;
        this.database = database;
        this.clock = clock;
    }

    @Override
    public void open(Bus openedOn) {
        bus.serve(Runs.TakeIn.class, this::takeIn);
    }

    private Future<Integer> takeIn(Runs.TakeIn ask) {
        return database.inTransaction(tx -> accept(tx, ask.target(), ask.items()))
                .onSuccess(_ -> wake());
    }

    @Override
    public Future<Integer> accept(Tx tx, Target target, List<JsonNode> items) {
        var keys = new ArrayList<String>();
        items.forEach(item -> {
            if (isKeyed(item)) {
                keys.add(keyOf(item));
            }
        });
        return (keys.isEmpty()
                        ? Future.succeededFuture(Set.<String>of())
                        : store.takeKeys(tx, target.flowVersionId(), keys, clock.instant()))
                .compose(fresh -> insert(tx, target, firstOfEachKey(items, fresh)));
    }

    @Override
    public void wake() {
        bus.publish(new Runs.TakenIn());
    }

    /** Items without a key, and the first of those with a key that is fresh, each without its key. */
    private static List<JsonNode> firstOfEachKey(List<JsonNode> items, Set<String> fresh) {
        var left = new HashSet<>(fresh);
        var kept = new ArrayList<JsonNode>();
        for (var item : items) {
            if (!isKeyed(item)) {
                kept.add(item);
            } else if (left.remove(keyOf(item))) {
                kept.add(((ObjectNode) item).deepCopy().without(DEDUPE_KEY));
            }
        }
        return kept;
    }

    private Future<Integer> insert(Tx tx, Target target, List<JsonNode> items) {
        var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        var headers = new ArrayList<RunWrite.RunHeader>();
        for (var item = 0; item < items.size(); item++) {
            // A microsecond apart, so that lists show runs in the order of their items.
            var created = now.plus(item, ChronoUnit.MICROS);
            headers.add(new RunWrite.RunHeader(
                    Runs.nextId(created),
                    created,
                    target.projectId(),
                    target.flowId(),
                    target.flowVersionId(),
                    RunEnvironment.PRODUCTION,
                    null,
                    null,
                    true,
                    null,
                    target.flowName(),
                    null));
        }
        var status = RunRow.on(null, RowEvent.Queueing.INGESTED).orElseThrow();
        var done = Future.<Void>succeededFuture();
        for (var from = 0; from < items.size(); from += ROWS_AT_ONCE) {
            var to = Math.min(items.size(), from + ROWS_AT_ONCE);
            var rows = headers.subList(from, to);
            var payloads = items.subList(from, to).stream().map(RecordText::of).toList();
            done = done.compose(_ -> store.insert(tx, status, rows, payloads));
        }
        return done.map(items.size());
    }

    /** Whether an item says by which key it is told from others. */
    static boolean isKeyed(JsonNode item) {
        return item instanceof ObjectNode object && object.has(DEDUPE_KEY);
    }

    private static String keyOf(JsonNode item) {
        var key = item.get(DEDUPE_KEY);
        return (key.isTextual() ? key.textValue() : Json.text(key)).replace('\0', ' ');
    }
}
