package io.millrace.workspace.project;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Nullable;
import java.time.Instant;
import java.util.Optional;

/**
 * A project that has not been deleted (contract admin-api 3.1).
 *
 * @param externalId unique on its platform; may be null
 * @param maxConcurrentJobs limit of the project, or null for the server's
 * @param metadata free-form object, or null
 * @param flowTestsRequired whether a flow is published only when its tests pass
 * @param poolId null when the project shares its limit with no other
 */
public record Project(
        String id,
        Instant created,
        Instant updated,
        String platformId,
        String ownerId,
        String displayName,
        ProjectType type,
        IconColor icon,
        @Nullable String externalId,
        boolean releasesEnabled,
        @Nullable Integer maxConcurrentJobs,
        @Nullable JsonNode metadata,
        @Nullable String poolId,
        boolean flowTestsRequired,
        ProjectPlan plan) {
    public Project {
        if (maxConcurrentJobs != null && maxConcurrentJobs < 1) {
            throw new IllegalArgumentException("expected a positive number of jobs, found " + maxConcurrentJobs);
        }
    }

    /** The project after the changes. A personal project keeps its name and icon (3.3). */
    Project changed(ProjectChanges changes, boolean mayChangeExternalId, Instant now) {
        var isTeam = type == ProjectType.TEAM;
        return new Project(
                id,
                created,
                now,
                platformId,
                ownerId,
                isTeam ? changes.displayName().orElse(displayName) : displayName,
                type,
                isTeam ? changes.icon().orElse(icon) : icon,
                mayChangeExternalId ? changes.externalId().orElse(externalId) : externalId,
                changes.releasesEnabled().orElse(releasesEnabled),
                changes.maxConcurrentJobs().or(maxConcurrentJobs),
                changes.metadata().or(metadata),
                poolId,
                changes.flowTestsRequired().orElse(flowTestsRequired),
                changes.namesPlan() ? planChanged(changes, now) : plan);
    }

    /** The project under another name. */
    Project named(String otherName, Optional<String> otherExternalId, Instant now) {
        return new Project(
                id,
                created,
                now,
                platformId,
                ownerId,
                otherName,
                type,
                icon,
                otherExternalId.orElse(null),
                releasesEnabled,
                maxConcurrentJobs,
                metadata,
                poolId,
                flowTestsRequired,
                plan);
    }

    /** The project in another pool. */
    Project inPool(String otherPoolId, Instant now) {
        return new Project(
                id,
                created,
                now,
                platformId,
                ownerId,
                displayName,
                type,
                icon,
                externalId,
                releasesEnabled,
                maxConcurrentJobs,
                metadata,
                otherPoolId,
                flowTestsRequired,
                plan);
    }

    private ProjectPlan planChanged(ProjectChanges changes, Instant now) {
        return new ProjectPlan(
                plan.id(),
                plan.created(),
                now,
                plan.locked(),
                plan.name(),
                changes.piecesFilterType().orElse(plan.piecesFilterType()),
                changes.pieces().orElse(plan.pieces()));
    }
}
