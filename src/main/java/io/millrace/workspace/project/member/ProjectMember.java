package io.millrace.workspace.project.member;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.identity.UserView;
import io.millrace.base.core.Json;
import java.time.Instant;

/** Membership of a user in a team project (contract admin-api 4). Administrators and operators need none. */
public record ProjectMember(
        String id,
        Instant created,
        Instant updated,
        String platformId,
        String projectId,
        String projectName,
        UserView user,
        ProjectRole role) {

    public ObjectNode toJson() {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("platformId", platformId)
                .put("userId", user.user().id())
                .put("projectId", projectId)
                .put("projectRoleId", role.id());
        json.set("user", user.toJson());
        json.set("projectRole", role.toJson());
        json.putObject("project").put("id", projectId).put("displayName", projectName);
        return json;
    }
}
