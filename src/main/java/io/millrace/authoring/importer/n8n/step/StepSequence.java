package io.millrace.authoring.importer.n8n.step;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Steps that run one after another: below the trigger, in a branch or in a loop. */
public final class StepSequence {
    /** Below the limit of flows, which leaves room for loops that are added at the bottom. */
    public static final int DEPTH_MAX = 40;

    private final ItemLoop frame;
    private final int depth;
    private final List<StepDraft> steps = new ArrayList<>();

    private StepSequence(ItemLoop frame, int depth) {
        this.frame = frame;
        this.depth = depth;
    }

    public static StepSequence root() {
        return new StepSequence(null, 0);
    }

    public StepSequence inner() {
        return new StepSequence(frame, depth + 1);
    }

    public StepSequence body(ItemLoop loop) {
        return new StepSequence(loop, depth + 1);
    }

    /** Innermost loop; null outside loops. */
    public ItemLoop frame() {
        return frame;
    }

    public boolean isDeepest() {
        return depth >= DEPTH_MAX;
    }

    public void add(StepDraft step) {
        steps.add(step);
    }

    public List<StepDraft> steps() {
        return List.copyOf(steps);
    }

    /** The first step with its followers; null if there is none. */
    public ObjectNode json() {
        ObjectNode next = null;
        for (var step : steps.reversed()) {
            var json = step.json();
            if (next != null) {
                json.set("nextAction", next);
            }
            next = json;
        }
        return next;
    }
}
