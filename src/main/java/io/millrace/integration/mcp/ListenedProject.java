package io.millrace.integration.mcp;

import java.util.Optional;

/** Project of a notification stream. Its caller may choose another project while the current one is looked up. */
final class ListenedProject {
    private String id;
    private boolean moved;

    /** @param id empty when the caller chooses among projects */
    ListenedProject(Optional<String> id) {
        this.id = id.orElse("");
    }

    boolean is(String projectId) {
        return id.equals(projectId);
    }

    void moveTo(String projectId) {
        id = projectId;
        moved = true;
    }

    /** Sets the project that was looked up when the stream was opened, unless a later choice has arrived meanwhile. */
    void found(Optional<String> projectId) {
        if (!moved) {
            id = projectId.orElse("");
        }
    }
}
