package io.millrace.authoring.importer.n8n.node;

/** Names of the steps of one flow. */
public final class StepPlan {
    private final String timezone;
    private int count;

    public StepPlan(String timezone) {
        this.timezone = timezone;
    }

    public String nextName() {
        count++;
        return "step_" + count;
    }

    public String timezone() {
        return timezone;
    }
}
