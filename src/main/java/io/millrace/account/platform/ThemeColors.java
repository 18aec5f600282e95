package io.millrace.account.platform;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.input.Fields;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The colors that a platform may set (contract admin-api 18.1); other names are free, as unknown fields are. */
final class ThemeColors {
    static final String REFUSED = "invalidHexColor";

    private static final Pattern HEX = Pattern.compile("#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})");
    private static final Set<String> SINGLE = Set.of("avatar", "blue-link", "danger", "selection");
    private static final Map<String, Set<String>> SHADED = Map.of(
            "primary", Set.of("dark", "light", "medium"),
            "warn", Set.of("default", "light", "dark"),
            "success", Set.of("default", "light"));

    private ThemeColors() {}

    static boolean isColor(String text) {
        return HEX.matcher(text).matches();
    }

    static void check(Fields body, String field, ObjectNode colors) {
        if (colors == null) {
            return;
        }
        SINGLE.forEach(name -> checkColor(body, field + "/" + name, colors.path(name)));
        SHADED.forEach((name, shades) -> {
            var group = colors.path(name);
            if (!group.isMissingNode() && !group.isObject()) {
                body.refuse(field + "/" + name, "Invalid input: expected object");
            }
            shades.forEach(shade -> checkColor(body, field + "/" + name + "/" + shade, group.path(shade)));
        });
    }

    private static void checkColor(Fields body, String place, JsonNode value) {
        if (!value.isMissingNode() && !(value.isTextual() && isColor(value.textValue()))) {
            body.refuse(place, REFUSED);
        }
    }
}
