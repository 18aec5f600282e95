package io.millrace.engine.run.step;

import io.millrace.piece.PieceFailure;
import java.util.ArrayList;
import java.util.List;

final class StepCancellation {
    private final List<Runnable> actions = new ArrayList<>(2);
    private boolean cancelled;

    boolean isCancelled() {
        return cancelled;
    }

    /** Fails when the run canceled the step during its preparation, so that a canceled step has no effect. */
    void refuseWhenCancelled() {
        if (cancelled) {
            throw failure();
        }
    }

    static PieceFailure failure() {
        return PieceFailure.of("The run has ended");
    }

    /** Cancels the step: wakes up waiting calls so that they stop. */
    void cancel() {
        cancelled = true;
        actions.forEach(Runnable::run);
        actions.clear();
    }

    /** Performs the action on cancellation; at once if the step is canceled already. */
    void whenCancelled(Runnable action) {
        if (cancelled) {
            action.run();
        } else {
            actions.add(action);
        }
    }
}
