package io.millrace.integration.live;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.ClusterNotice;
import io.millrace.base.bus.Notice;
import java.util.List;
import java.util.Optional;

/**
 * Requests of clients without a web socket that came in at another node than their session's, as happens behind a balancer
 * that does not keep to one. Answered by {@link PolledRelay}.
 */
public sealed interface Polling {
    /** Fetches from a session of another node; empty when there is none. */
    record Fetch(String id, String session) implements Polling, BusRequest<Optional<List<String>>> {}

    /** Brings to a session of another node; false when there is none. */
    record Bring(String id, String session, List<String> texts) implements Polling, BusRequest<Boolean> {}

    /** Whoever fetched has gone without waiting for the answer. */
    record Abandon(String id) implements Polling, Notice {}

    /**
     * From node to node: the request.
     *
     * @param texts what is brought; null to fetch
     */
    record Asked(String from, String to, String id, String session, List<String> texts)
            implements Polling, ClusterNotice {}

    /**
     * From node to node: what became of it.
     *
     * @param known whether there is such a session
     */
    record Answered(String to, String id, boolean known, List<String> texts) implements Polling, ClusterNotice {}

    /** From node to node: nobody waits for it any more. */
    record Abandoned(String to, String id) implements Polling, ClusterNotice {}
}
