package io.millrace.workspace.authorizationserver;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.Optional;

/**
 * A client that has just registered.
 *
 * @param secret shown once, here; empty for a public client
 */
record ClientRegistration(OAuthClient client, Optional<String> secret) {
    /** A secret never expires: 0, as RFC 7591 writes it. */
    ObjectNode toJson() {
        var json = Json.object().put("client_id", client.id());
        secret.ifPresent(text -> json.put("client_secret", text));
        json.put("client_id_issued_at", client.created().getEpochSecond()).put("client_secret_expires_at", 0);
        client.redirectUris().forEach(json.putArray("redirect_uris")::add);
        client.name().ifPresent(name -> json.put("client_name", name));
        client.grantTypes().forEach(json.putArray("grant_types")::add);
        return json.put("token_endpoint_auth_method", client.authentication().word());
    }

    @Override
    public String toString() {
        return "ClientRegistration[" + client.id() + "]";
    }
}
