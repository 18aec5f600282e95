package io.millrace.workspace.secretmanager;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.base.core.text.HeaderRule;
import io.millrace.base.net.WebAddress;
import java.util.regex.Pattern;

/** Address of a secret manager and the server's credentials there, by vendor (contract admin-api 26.2). */
final class SecretConfig {
    private static final Pattern REGION = Pattern.compile("^[a-z0-9-]{1,40}$");
    private static final int TEXT_LENGTH_MAX = 4_096;

    private SecretConfig() {}

    static ObjectNode read(SecretVendor vendor, Fields config) {
        var json = Json.object();
        switch (vendor) {
            case HASHICORP -> {
                json.put("url", url(config))
                        .put("roleId", filled(config, "roleId"))
                        .put("secretId", filled(config, "secretId"));
                config.optionalText("namespace")
                        .filter(namespace -> !namespace.isBlank())
                        .ifPresent(_ -> json.put("namespace", headerText(config, "namespace")));
            }
            case AWS ->
                json.put("accessKeyId", headerText(config, "accessKeyId"))
                        .put("secretAccessKey", filled(config, "secretAccessKey"))
                        .put("region", config.text("region", REGION));
            case CYBERARK_CONJUR ->
                json.put("url", url(config))
                        .put("organizationAccountName", filled(config, "organizationAccountName"))
                        .put("loginId", filled(config, "loginId"))
                        .put("apiKey", filled(config, "apiKey"));
            case ONEPASSWORD -> json.put("serviceAccountToken", filled(config, "serviceAccountToken"));
        }
        return json;
    }

    private static String headerText(Fields config, String name) {
        var text = filled(config, name);
        if (!HeaderRule.isValue(text)) {
            config.refuse(name, "Invalid string: expected one line of Latin-1 text, as a header carries it");
        }
        return text;
    }

    private static String url(Fields config) {
        var text = filled(config, "url");
        if (config.raw("url").isTextual() && !text.isEmpty()) {
            try {
                WebAddress.parse(text);
            } catch (IllegalArgumentException malformed) {
                config.refuse("url", malformed.getMessage());
            }
        }
        return text;
    }

    static String base(String url) {
        return url.strip().replaceFirst("/+$", "");
    }

    private static String filled(Fields config, String name) {
        var text = config.text(name);
        if (config.raw(name).isTextual() && text.isBlank()) {
            config.refuse(name, "required");
        }
        if (text.length() > TEXT_LENGTH_MAX) {
            config.refuse(name, "Too big: expected string to have <=" + TEXT_LENGTH_MAX + " characters");
        }
        return text;
    }
}
