package io.millrace.account.identity.user;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;

/**
 * Profile of a user, as shown to the same user (contract admin-api 15.2).
 *
 * @param imageUrl null when there is no picture
 */
public record UserProfile(
        String email, String firstName, String lastName, boolean trackEvents, boolean newsLetter, String imageUrl) {
    ObjectNode toJson() {
        return Json.object()
                .put("email", email)
                .put("firstName", firstName)
                .put("lastName", lastName)
                .put("trackEvents", trackEvents)
                .put("newsLetter", newsLetter)
                .put("imageUrl", imageUrl);
    }
}
