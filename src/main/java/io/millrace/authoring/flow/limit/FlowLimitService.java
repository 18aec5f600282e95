package io.millrace.authoring.flow.limit;

import io.millrace.authoring.flow.limit.FlowLimits.InForce;
import io.millrace.authoring.flow.limit.FlowLimits.OnConnection;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Handles {@link FlowLimits}. Access to the flow's project is checked by the routes. */
public final class FlowLimitService implements BusService {
    private final Bus bus;
    private final Database database;
    private final InstantSource clock;
    private final FlowLimitStore store = new FlowLimitStore();

    public FlowLimitService(Bus bus, Database database, InstantSource clock) {
        this.bus = bus;
        this.database = database;
        this.clock = clock;
    }

    @Override
    public void open(Bus ignored) {
        bus.serve(FlowLimits.Get.class, this::get);
        bus.serve(FlowLimits.Put.class, this::put);
        bus.serve(FlowLimits.FindInForce.class, this::findInForce);
    }

    private Future<FlowLimit> get(FlowLimits.Get ask) {
        return database.read(tx -> store.find(tx, ask.flowId())).map(found -> found.orElse(FlowLimit.NONE));
    }

    private Future<FlowLimit> put(FlowLimits.Put ask) {
        return database.inTransaction(tx -> store.put(tx, ask.flowId(), ask.limit(), clock.instant()))
                .map(project -> project.orElseThrow(() -> ApiException.notFound("flow", ask.flowId())))
                .onSuccess(projectId -> bus.publish(new FlowLimits.Changed(projectId)))
                .map(ask.limit());
    }

    private Future<InForce> findInForce(FlowLimits.FindInForce ask) {
        return database.read(tx -> store.ofProjectOf(tx, ask.flowId())).map(all -> inForce(ask.flowId(), all));
    }

    private static InForce inForce(String flowId, Map<String, FlowLimit> all) {
        var own = all.getOrDefault(flowId, FlowLimit.NONE);
        var connections = own.connections().keySet().stream()
                .map(externalId -> onConnection(externalId, all))
                .toList();
        return new InForce(own.flow(), connections);
    }

    private static OnConnection onConnection(String externalId, Map<String, FlowLimit> all) {
        var sharing = all.entrySet().stream()
                .filter(flow -> flow.getValue().connections().containsKey(externalId))
                .toList();
        Optional<RunLimit> strictest = sharing.stream()
                .map(flow -> flow.getValue().connections().get(externalId))
                .reduce(RunLimit::and);
        List<String> flowIds = sharing.stream().map(Map.Entry::getKey).toList();
        return new OnConnection(externalId, strictest.orElseThrow(), flowIds);
    }
}
