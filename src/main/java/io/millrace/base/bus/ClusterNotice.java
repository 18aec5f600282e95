package io.millrace.base.bus;

import java.util.Optional;

/**
 * A notice that the other nodes of a cluster hear too, where there are any. It is a record of plain values, because it
 * travels as JSON; and like every notice it may be lost, so that whatever depends on it is looked up now and then.
 */
public interface ClusterNotice extends Notice {
    /** It travels only while another node watches this; empty: always. */
    default Optional<String> topic() {
        return Optional.empty();
    }
}
