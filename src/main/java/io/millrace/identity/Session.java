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

    /** The same session of a user who has just been given another role. */
    Session of(User sameUser) {
        return new Session(identity, sameUser, token, projectId);
    }

    User user() {
        return user;
    }

    /** What events tell of whose it is (contract admin-api 21). */
    ObjectNode eventData() {
        var data = Json.object();
        data.putObject("user")
                .put("id", user.id())
                .put("email", identity.email())
                .put("firstName", identity.firstName())
                .put("lastName", identity.lastName());
        return data;
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
