package io.millrace.account.identity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.time.Instant;
import java.util.Optional;

/** The answer to a sign-up or sign-in (contract admin-api 32.2). Its text never shows the token. */
public final class Session {
    private final UserIdentity identity;

    /** Null for a person without a platform. */
    private final User user;

    private final String token;
    private final String projectId;

    Session(UserIdentity identity, User user, String token, String projectId) {
        this.identity = identity;
        this.user = user;
        this.token = token;
        this.projectId = projectId;
    }

    static Session onboarding(UserIdentity identity, String token) {
        return new Session(identity, null, token, null);
    }

    /** The same session with a token that expires no later than the given time; unchanged for a person without a platform. */
    public Session endingBy(Instant endMax, AccessTokens tokens) {
        return user == null
                ? this
                : new Session(identity, user, tokens.issue(user, identity.tokenVersion(), endMax), projectId);
    }

    Session of(User sameUser) {
        return new Session(identity, sameUser, token, projectId);
    }

    public User user() {
        return user;
    }

    IdentityProvider provider() {
        return identity.provider();
    }

    /** Holder of the session in audit events (contract admin-api 21). */
    public ObjectNode eventData() {
        return eventData(identity, user);
    }

    public static ObjectNode eventData(UserIdentity identity, User user) {
        var data = Json.object();
        data.putObject("user")
                .put("id", user.id())
                .put("email", identity.email())
                .put("firstName", identity.firstName())
                .put("lastName", identity.lastName());
        return data;
    }

    public ObjectNode toJson() {
        var known = Optional.ofNullable(user);
        return Json.object()
                .put("id", known.map(User::id).orElse(identity.id()))
                .put("platformRole", known.map(found -> found.role().name()).orElse(null))
                .put("status", known.map(User::status).orElse(UserStatus.ACTIVE).name())
                .put("externalId", known.map(User::externalId).orElse(null))
                .put("platformId", known.map(User::platformId).orElse(null))
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
