package io.millrace.base.bus;

import java.util.Optional;

/**
 * A notice that is also delivered to the other nodes of a cluster. It is a record of plain values, because it is sent as
 * JSON; and like every notice it may be lost, so that its subscribers must also poll at intervals.
 */
public interface ClusterNotice extends Notice {
    /** Sent only while another node watches this subject; empty: always. */
    default Optional<String> topic() {
        return Optional.empty();
    }
}
