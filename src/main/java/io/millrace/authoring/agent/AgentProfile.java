package io.millrace.authoring.agent;

import io.millrace.base.core.Nullable;
import io.millrace.workspace.project.IconColor;
import java.util.List;

/**
 * Properties of an agent besides its configuration.
 *
 * @param sharedWith users who see a restricted agent besides its owner; empty for an agent of the whole project
 */
public record AgentProfile(
        String displayName,
        @Nullable String description,
        AgentIcon icon,
        IconColor color,
        SavedAgent.Visibility visibility,
        List<String> sharedWith) {
    public AgentProfile {
        sharedWith = visibility == SavedAgent.Visibility.PROJECT ? List.of() : List.copyOf(sharedWith);
    }
}
