package io.millrace.scim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.access.Principal;
import io.millrace.bus.Nothing;
import io.millrace.bus.Request;

/** What a directory may ask of the users of its platform. Answered by {@link ScimUserService}, in the words of SCIM. */
sealed interface ScimUsers {
    record ListOf(Principal by, ScimQuery query) implements ScimUsers, Request<ScimQuery.ScimPage> {}

    record Get(Principal by, String id) implements ScimUsers, Request<ObjectNode> {}

    record Create(Principal by, JsonNode resource) implements ScimUsers, Request<ObjectNode> {}

    record Replace(Principal by, String id, JsonNode resource) implements ScimUsers, Request<ObjectNode> {}

    record Patch(Principal by, String id, JsonNode operations) implements ScimUsers, Request<ObjectNode> {}

    /** Switches a user off: what they have built stays. */
    record Delete(Principal by, String id) implements ScimUsers, Request<Nothing> {}
}
