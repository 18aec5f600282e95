package io.millrace.identity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.core.Json;

/** The answer to signing up or in (contract admin-api 32.2). Its text never shows the token. */
public final class Session {
    private final UserIdentity identity;
    private final User user;
    private final String token;
    private final String projectId;

    Session(UserIdentity identity, User user, String token, String projectId) {
        this.identity = identity;
        this.user = user;
        this.token = token;
        this.projectId = projectId;
    }

    /** The record as the API shows it. */
    ObjectNode toJson() {
        return Json.object()
                .put("id", user.id())
                .put("platformRole", user.role().name())
                .put("status", user.status().name())
                .put("externalId", user.externalId())
                .put("platformId", user.platformId())
                .put("verified", identity.verified())
                .put("firstName", identity.firstName())
                .put("lastName", identity.lastName())
                .put("email", identity.email())
                .put("trackEvents", identity.trackEvents())
                .put("newsLetter", identity.newsLetter())
                .put("token", token)
                .put("projectId", projectId);
    }
}
