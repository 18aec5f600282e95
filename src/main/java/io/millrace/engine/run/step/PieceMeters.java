package io.millrace.engine.run.step;

import io.millrace.base.metrics.FixedHistogram;
import io.millrace.base.metrics.MeterSet;
import io.millrace.base.metrics.ServerMeter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Durations of actions of pieces, by piece. The pieces that are called first have a meter each and all further ones
 * share one, which bounds the number of meters. Thread-safe.
 */
public final class PieceMeters {
    private static final int PIECES_MAX = 50;
    private static final String OTHER = "other";

    private final MeterSet meters;
    private final FixedHistogram others;
    private final Map<String, FixedHistogram> pieces = new ConcurrentHashMap<>();

    public PieceMeters(MeterSet meters) {
        this.meters = meters;
        this.others = meters.durations(ServerMeter.PIECE_DURATION, OTHER);
    }

    public void ended(String piece, long nanos) {
        var known = pieces.get(piece);
        (known == null ? first(piece) : known).record(nanos);
    }

    private synchronized FixedHistogram first(String piece) {
        return pieces.size() < PIECES_MAX || pieces.containsKey(piece)
                ? pieces.computeIfAbsent(piece, name -> meters.durations(ServerMeter.PIECE_DURATION, name))
                : others;
    }
}
