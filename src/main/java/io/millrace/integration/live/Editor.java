package io.millrace.integration.live;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.identity.UserView;
import io.millrace.base.core.Json;

/**
 * A person with an open editor.
 *
 * @param memberId the connection; a person may have several
 */
record Editor(String memberId, String projectId, UserView person) {
    String userId() {
        return person.user().id();
    }

    private String displayName() {
        return (person.firstName() + " " + person.lastName()).strip();
    }

    /** As the holder of a lock. */
    ObjectNode toJson() {
        return Json.object().put("userId", userId()).put("userDisplayName", displayName());
    }

    /** As somebody who is there. */
    ObjectNode presence() {
        return toJson().put("userEmail", person.email()).put("userImageUrl", person.imageUrl());
    }
}
