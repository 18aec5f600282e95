package io.millrace.engine.trigger;

/**
 * Where a hook is called.
 *
 * @param testing whether for a test, whose stored values are apart from those of production
 * @param republish whether the same trigger was enabled before
 */
public record HookPlace(String projectId, String flowId, String flowVersionId, boolean testing, boolean republish) {
    /** A place in production. */
    public static HookPlace of(String projectId, String flowId, String flowVersionId) {
        return new HookPlace(projectId, flowId, flowVersionId, false, false);
    }

    /** The same place in a test. */
    public HookPlace forTest() {
        return new HookPlace(projectId, flowId, flowVersionId, true, republish);
    }
}
