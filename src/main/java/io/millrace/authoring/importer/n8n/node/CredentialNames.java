package io.millrace.authoring.importer.n8n.node;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.CutText;
import java.util.Locale;
import java.util.Optional;

/** CredentialNames of nodes: an export has only their names, which become names of connections. */
final class CredentialNames {
    private static final int NAME_MAX = 60;

    private CredentialNames() {}

    record Credential(String type, String name) {
        /** External id of the connection. */
        String connection() {
            var id = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
            return id.isEmpty() ? "n8n-credential" : CutText.of(id, NAME_MAX);
        }

        boolean isOauth() {
            return type.toLowerCase(Locale.ROOT).contains("oauth2");
        }
    }

    static Optional<Credential> of(NodeContext context) {
        var all = context.node().json().path("credentials");
        for (var entry : all.properties()) {
            var name = entry.getValue().isTextual()
                    ? entry.getValue().asText()
                    : entry.getValue().path("name").asText(entry.getKey());
            return Optional.of(new Credential(entry.getKey(), name));
        }
        return Optional.empty();
    }

    private static void note(NodeContext context, Credential credential) {
        context.entry()
                .near("needs a connection with the external id \"" + credential.connection()
                        + "\" in place of the credential \"" + credential.name() + "\" (" + credential.type() + ")");
    }

    static void put(NodeContext context, ObjectNode input) {
        var credential =
                of(context).orElseGet(() -> new Credential("", context.node().kind()));
        input.put("auth", "{{connections['" + credential.connection() + "']}}");
        note(context, credential);
    }

    /** Token of the connection, for a header of a request. */
    static String secret(NodeContext context, String usual) {
        var credential = of(context).orElseGet(() -> new Credential(usual, usual));
        note(context, credential);
        return "{{connections['" + credential.connection() + "']."
                + (credential.isOauth() ? "access_token" : "secret_text") + "}}";
    }
}
