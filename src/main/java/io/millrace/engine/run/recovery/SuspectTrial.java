package io.millrace.engine.run.recovery;

import java.time.Duration;

/**
 * Trial periods of suspects: when a node takes suspects up after its start, and for how long each may be blamed for the
 * end of the node. Pure.
 *
 * <p>A suspect is blamed only for an end within its trial. The trial is short compared with the control period before
 * it, in which the node runs without any suspect, and begins at a random moment: an end with another cause falls within
 * the trial with a probability of one in eight at most, and otherwise counts for the suspect (decision 0095). Both
 * periods are doubled for each recent node that ended after a suspect had survived its trial there: only that is
 * evidence of a run that needs longer than a trial to end its node.
 *
 * @param control time from the moment at which the node listens until the first suspect is taken up
 * @param window trial period of one suspect
 */
public record SuspectTrial(Duration control, Duration window) {
    private static final long WINDOW_MS_MIN = 1_000;

    private static final int CONTROL_WINDOWS_MIN = 6;

    /** Length of the range from which the control period is drawn, in windows. */
    private static final int CONTROL_WINDOWS_RANGE = 8;

    private static final int DOUBLED_MAX = 4;

    /** Time in which all suspects but the last of several are taken up. */
    private static final long ALL_MS_MAX = 60_000;

    /**
     * Input for the choice of a node's periods.
     *
     * @param late nodes that ended unplanned within the last quarter of an hour, without a culprit, and after a suspect had
     *     survived its trial there
     * @param suspects runs that are suspected now
     */
    public record History(int late, int suspects) {}

    static final SuspectTrial FIRST = of(new History(0, 0), 0);

    /**
     * @param chance from 0 to 1: position of the control period in its range, so that ends which follow a period of their
     *     own do not meet the same trial each time
     */
    static SuspectTrial of(History history, double chance) {
        var doubled = Math.min(history.late(), DOUBLED_MAX);
        var windowsMax = CONTROL_WINDOWS_MIN + CONTROL_WINDOWS_RANGE + history.suspects() - 1;
        var windowMsMax = history.suspects() > 1 ? ALL_MS_MAX / windowsMax : Long.MAX_VALUE;
        var windowMs = Math.min(WINDOW_MS_MIN << doubled, windowMsMax);
        return new SuspectTrial(
                Duration.ofMillis((long) (windowMs * (CONTROL_WINDOWS_MIN + CONTROL_WINDOWS_RANGE * chance))),
                Duration.ofMillis(windowMs));
    }
}
