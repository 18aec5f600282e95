package io.millrace.workspace.project;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Nullable;
import java.util.Optional;

/**
 * Properties of a project that its administrators change.
 *
 * @param externalId unique on its platform; may be null
 * @param maxConcurrentJobs limit of the project, or null for the server's
 * @param metadata free-form object, or null
 * @param poolId null when the project shares its limit with no other
 * @param flowTestsRequired whether a flow is published only when its tests pass
 */
public record ProjectSettings(
        String displayName,
        IconColor icon,
        @Nullable String externalId,
        boolean releasesEnabled,
        @Nullable Integer maxConcurrentJobs,
        @Nullable JsonNode metadata,
        @Nullable String poolId,
        boolean flowTestsRequired) {
    public ProjectSettings {
        if (maxConcurrentJobs != null && maxConcurrentJobs < 1) {
            throw new IllegalArgumentException("expected a positive number of jobs, found " + maxConcurrentJobs);
        }
    }

    ProjectSettings changed(ProjectChanges changes, boolean mayChangeName, boolean mayChangeExternalId) {
        return new ProjectSettings(
                mayChangeName ? changes.displayName().orElse(displayName) : displayName,
                mayChangeName ? changes.icon().orElse(icon) : icon,
                mayChangeExternalId ? changes.externalId().orElse(externalId) : externalId,
                changes.rules().releasesEnabled().orElse(releasesEnabled),
                changes.maxConcurrentJobs().or(maxConcurrentJobs),
                changes.metadata().or(metadata),
                poolId,
                changes.rules().flowTestsRequired().orElse(flowTestsRequired));
    }

    ProjectSettings named(String otherName, Optional<String> otherExternalId) {
        return new ProjectSettings(
                otherName,
                icon,
                otherExternalId.orElse(null),
                releasesEnabled,
                maxConcurrentJobs,
                metadata,
                poolId,
                flowTestsRequired);
    }

    ProjectSettings inPool(String otherPoolId) {
        return new ProjectSettings(
                displayName,
                icon,
                externalId,
                releasesEnabled,
                maxConcurrentJobs,
                metadata,
                otherPoolId,
                flowTestsRequired);
    }
}
