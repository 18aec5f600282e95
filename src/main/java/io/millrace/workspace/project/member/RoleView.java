package io.millrace.workspace.project.member;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.persistence.row.Unprefixed;

/** A role with the number of its holders on a platform, in any project (contract admin-api 5). */
public record RoleView(@Unprefixed ProjectRole role, int userCount) {
    public ObjectNode toJson() {
        return role.toJson().put("userCount", userCount);
    }
}
