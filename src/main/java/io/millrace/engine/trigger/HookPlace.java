package io.millrace.engine.trigger;

/**
 * Project, flow and version of a hook call.
 *
 * @param testing true for a test, whose stored values are separate from those of production
 * @param republish true if the same trigger was enabled before
 */
public record HookPlace(String projectId, String flowId, String flowVersionId, boolean testing, boolean republish) {
    public static HookPlace of(String projectId, String flowId, String flowVersionId) {
        return new HookPlace(projectId, flowId, flowVersionId, false, false);
    }

    public HookPlace forTest() {
        return new HookPlace(projectId, flowId, flowVersionId, true, republish);
    }
}
