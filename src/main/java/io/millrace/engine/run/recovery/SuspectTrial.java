package io.millrace.engine.run.recovery;

import java.time.Duration;

/**
 * Trial periods of suspects: when a node takes suspects up after its start, and for how long each may be blamed for the
 * end of the node. Pure.
 *
 * <p>A suspect is blamed only for an end within its trial. The trial is short compared with the control period before
 * it, in which the node runs without any suspect: an end with another cause falls within a trial with a probability of
 * one in nine at most, and then counts for the suspect instead of against it (decision 0095). While ends stay without a
 * culprit, both periods are doubled, so that a run that needs longer to end its node is found, too.
 *
 * @param control time from the moment at which the node listens until the first suspect is taken up
 * @param window trial period of one suspect
 */
public record SuspectTrial(Duration control, Duration window) {
    private static final long CONTROL_MS_MIN = 8_000;

    /** Ratio of the control period to a window. */
    private static final int RATIO = 8;

    /** Number of ends without a culprit that two crashes of one run explain: it becomes a suspect only after them. */
    private static final int EXPLAINED = 2;

    private static final int DOUBLED_MAX = 4;

    /** Time in which all suspects but the last of several are taken up. */
    private static final long ALL_MS_MAX = 60_000;

    /**
     * Input for the choice of a node's periods.
     *
     * @param unexplained nodes that ended unplanned within the last quarter of an hour and without a culprit
     * @param suspects runs that are suspected now
     */
    public record History(int unexplained, int suspects) {}

    /** Periods of a node without a history. */
    static final SuspectTrial FIRST = of(new History(0, 0), 0);

    /**
     * @param chance from 0 to 1: the control period is longer by so much of its half, so that ends which follow a period of
     *     their own do not meet the same trial each time
     */
    static SuspectTrial of(History history, double chance) {
        var doubled = Math.clamp((long) history.unexplained() - EXPLAINED, 0, DOUBLED_MAX);
        var most =
                history.suspects() > 1 ? ALL_MS_MAX * 2 * RATIO / (3 * RATIO + 2 * history.suspects()) : Long.MAX_VALUE;
        var controlMs = Math.min(CONTROL_MS_MIN << doubled, most);
        return new SuspectTrial(
                Duration.ofMillis(controlMs + (long) (controlMs * chance / 2)), Duration.ofMillis(controlMs / RATIO));
    }
}
