package io.millrace.authoring.importer.n8n.node;

/** Names of the steps of one flow. */
public final class StepPlan {
    private final String timezone;
    private int count;

    public StepPlan(String timezone) {
        this.timezone = timezone;
    }

    /** The next free name. */
    public String nextName() {
        count++;
        return "step_" + count;
    }

    /** Time zone of the workflow, for dates in code. */
    public String timezone() {
        return timezone;
    }
}
