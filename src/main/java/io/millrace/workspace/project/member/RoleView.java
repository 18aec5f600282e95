package io.millrace.workspace.project.member;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** A role with the number of people on a platform who hold it in some project (contract admin-api 5). */
public record RoleView(ProjectRole role, int userCount) {
    public ObjectNode toJson() {
        return role.toJson().put("userCount", userCount);
    }
}
