package io.millrace.integration.live;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.ClusterNotice;
import io.millrace.base.bus.Notice;
import java.util.List;
import java.util.Optional;

/**
 * Requests of long-polling clients that arrived at another node than that of their session, for example behind a load balancer
 * without session affinity. Handled by {@link PolledRelay}.
 */
public sealed interface Polling {
    /** Polls a session of another node; empty when the session does not exist. */
    record Fetch(String id, String session) implements Polling, BusRequest<Optional<List<String>>> {}

    /** Sends packets to a session of another node; false when the session does not exist. */
    record Bring(String id, String session, List<String> texts) implements Polling, BusRequest<Boolean> {}

    /** The client has disconnected during a poll. */
    record Abandon(String id) implements Polling, Notice {}

    /**
     * Relayed request between nodes.
     *
     * @param texts packets of the client; null for a poll
     */
    record Asked(String from, String to, String id, String session, List<String> texts)
            implements Polling, ClusterNotice {}

    /**
     * Relayed answer between nodes.
     *
     * @param known true if the session exists
     */
    record Answered(String to, String id, boolean known, List<String> texts) implements Polling, ClusterNotice {}

    record Abandoned(String to, String id) implements Polling, ClusterNotice {}
}
