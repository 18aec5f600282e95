package io.millrace.workspace.secretmanager;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.net.CloudSigner;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Base64;

/** CyberArk Conjur: logs in with an API key and reads variables. A path is the id of a variable. */
final class ConjurVault implements SecretVault {
    private final VaultHttp http;
    private final ObjectNode config;

    ConjurVault(VaultHttp http, ObjectNode config) {
        this.http = http;
        this.config = config;
    }

    @Override
    public Future<Void> check() {
        return token().mapEmpty();
    }

    @Override
    public Future<String> read(String path) {
        var request =
                VaultHttp.request("GET", url() + "/secrets/" + account() + "/variable/" + CloudSigner.encoded(path));
        return token().compose(token -> http.accepted(
                        request.withHeader("authorization", "Token token=\"" + token + "\""), "reading " + path))
                .map(answer -> answer.body().toString());
    }

    /** A token is JSON, which a header carries in Base64. */
    private Future<String> token() {
        var login = CloudSigner.encoded(config.path("loginId").asText());
        var request = VaultHttp.request("POST", url() + "/authn/" + account() + "/" + login + "/authenticate")
                .withHeader("content-type", "text/plain")
                .withBody(Buffer.buffer(config.path("apiKey").asText()));
        return http.accepted(request, "the login")
                .map(answer -> Base64.getEncoder().encodeToString(answer.body().getBytes()));
    }

    private String url() {
        return SecretConfig.base(config.path("url").asText());
    }

    private String account() {
        return CloudSigner.encoded(config.path("organizationAccountName").asText());
    }
}
