package io.millrace.engine.run.replay;

import io.millrace.base.bus.Bus;
import io.millrace.base.persistence.BusService;
import io.millrace.engine.run.RunCommands;
import java.util.List;
import java.util.Optional;

/** Re-decides the history of a flow for callers that need the result only, such as tools of the MCP server. */
public final class HistoryComparison implements BusService {
    private final HistoryRequests requests;

    public HistoryComparison(HistoryRequests requests) {
        this.requests = requests;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(RunCommands.Redecide.class, ask -> {
            var sample = Math.min(ask.sample(), requests.runsMax());
            var query = new HistoryQuery(
                    ask.flowId(), ask.version(), List.of(), Optional.empty(), Optional.empty(), sample);
            return requests.prepare(query).compose(walk -> walk.run(_ -> {}));
        });
    }
}
