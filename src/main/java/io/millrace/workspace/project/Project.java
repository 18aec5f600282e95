package io.millrace.workspace.project;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.persistence.row.Unprefixed;
import java.time.Instant;
import java.util.Optional;

/**
 * A project that has not been deleted (contract admin-api 3.1).
 *
 * @param type a personal project keeps its name and icon (3.3)
 */
public record Project(
        String id,
        Instant created,
        Instant updated,
        String platformId,
        String ownerId,
        ProjectType type,
        @Unprefixed ProjectSettings settings,
        ProjectPlan plan) {
    public String displayName() {
        return settings.displayName();
    }

    public IconColor icon() {
        return settings.icon();
    }

    /** Null for none. */
    public String externalId() {
        return settings.externalId();
    }

    public boolean releasesEnabled() {
        return settings.releasesEnabled();
    }

    /** Null for none. */
    public Integer maxConcurrentJobs() {
        return settings.maxConcurrentJobs();
    }

    /** Null for none. */
    public JsonNode metadata() {
        return settings.metadata();
    }

    /** Null for none. */
    public String poolId() {
        return settings.poolId();
    }

    public boolean flowTestsRequired() {
        return settings.flowTestsRequired();
    }

    Project changed(ProjectChanges changes, boolean mayChangeExternalId, Instant now) {
        return new Project(
                id,
                created,
                now,
                platformId,
                ownerId,
                type,
                settings.changed(changes, type == ProjectType.TEAM, mayChangeExternalId),
                changes.namesPlan() ? planChanged(changes, now) : plan);
    }

    Project named(String otherName, Optional<String> otherExternalId, Instant now) {
        return with(settings.named(otherName, otherExternalId), now);
    }

    Project inPool(String otherPoolId, Instant now) {
        return with(settings.inPool(otherPoolId), now);
    }

    private Project with(ProjectSettings other, Instant now) {
        return new Project(id, created, now, platformId, ownerId, type, other, plan);
    }

    private ProjectPlan planChanged(ProjectChanges changes, Instant now) {
        return new ProjectPlan(
                plan.id(),
                plan.created(),
                now,
                plan.locked(),
                plan.name(),
                changes.pieceFilter().type().orElse(plan.piecesFilterType()),
                changes.pieceFilter().pieces().orElse(plan.pieces()));
    }
}
