package io.millrace.workspace.invitation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.row.Unprefixed;
import io.millrace.workspace.project.member.ProjectRole;
import java.time.Instant;
import java.util.Optional;

/**
 * An invitation (contract admin-api 16.1).
 *
 * @param platformRole present in an invitation to the platform
 * @param place present in an invitation to a project
 */
public record Invitation(
        String id,
        Instant created,
        Instant updated,
        String email,
        InvitationStatus status,
        InvitationType type,
        String platformId,
        Optional<PlatformRole> platformRole,
        @Unprefixed Optional<Membership> place) {

    public record Membership(String projectId, ProjectRole role) {}

    ObjectNode toJson() {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("email", email)
                .put("status", status.name())
                .put("type", type.name())
                .put("platformId", platformId)
                .put("platformRole", platformRole.map(Enum::name).orElse(null))
                .put("projectId", place.map(Membership::projectId).orElse(null))
                .put(
                        "projectRoleId",
                        place.map(promised -> promised.role().id()).orElse(null));
        return json.set(
                "projectRole", place.map(promised -> promised.role().toJson()).orElse(null));
    }

    Invitation accepted(Instant now) {
        return new Invitation(
                id, created, now, email, InvitationStatus.ACCEPTED, type, platformId, platformRole, place);
    }
}
