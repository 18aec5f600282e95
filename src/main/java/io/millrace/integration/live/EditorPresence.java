package io.millrace.integration.live;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.identity.UserView;
import io.millrace.base.core.Json;
import io.millrace.base.core.Nullable;

/**
 * A person with an open editor.
 *
 * @param memberId the connection; a person may have several
 * @param imageUrl null for none
 */
record EditorPresence(
        String memberId,
        String projectId,
        String userId,
        String displayName,
        String email,
        @Nullable String imageUrl) {
    static EditorPresence of(String memberId, String projectId, UserView person) {
        return new EditorPresence(
                memberId,
                projectId,
                person.user().id(),
                (person.firstName() + " " + person.lastName()).strip(),
                person.email(),
                person.imageUrl());
    }

    /** As the holder of a lock. */
    ObjectNode toJson() {
        return new Holder(userId, displayName).toJson();
    }

    ObjectNode presence() {
        return toJson().put("userEmail", email).put("userImageUrl", imageUrl);
    }

    /** Holder of a lock, as sent to other members. */
    record Holder(String userId, String displayName) {
        ObjectNode toJson() {
            return Json.object().put("userId", userId).put("userDisplayName", displayName);
        }
    }
}
