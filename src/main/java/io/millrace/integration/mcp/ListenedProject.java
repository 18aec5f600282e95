package io.millrace.integration.mcp;

import java.util.Optional;

/** The project of which a stream tells. Its caller may choose another one while it is looked up which it is. */
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

    /** The caller has chosen another one. */
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
