package io.millrace.account.identity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.Nullable;
import io.millrace.base.persistence.row.Unprefixed;

/**
 * A user with the person's names, as others on the platform may see them (contract admin-api 15.1); passwords and the
 * identity's own fields are left out.
 *
 * @param imageUrl null when there is no picture
 */
public record UserView(
        @Unprefixed User user,
        String email,
        String firstName,
        String lastName,
        @Nullable String imageUrl) {
    public ObjectNode toJson() {
        return Json.object()
                .put("id", user.id())
                .put("created", Json.timestamp(user.created()))
                .put("updated", Json.timestamp(user.updated()))
                .put("email", email)
                .put("firstName", firstName)
                .put("lastName", lastName)
                .put("status", user.status().name())
                .put("platformRole", user.role().name())
                .put("platformId", user.platformId())
                .put("externalId", user.externalId())
                .put("lastActiveDate", user.lastActiveDate() == null ? null : Json.timestamp(user.lastActiveDate()))
                .put("imageUrl", imageUrl);
    }
}
