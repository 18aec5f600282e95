package licence;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Fails the build when the bill of materials has a library under no license that Millrace may be given away with. One that
 * leaves a choice is taken under whichever of its licenses is in the list.
 */
final class CheckLicences {
    /** By the identifiers of SPDX; two licenses have none and are known by their names. */
    private static final Set<String> ACCEPTED = Set.of(
            "0BSD",
            "Apache-2.0",
            "BSD-2-Clause",
            "BSD-3-Clause",
            "CC0-1.0",
            "EPL-2.0",
            "MIT",
            "UPL-1.0",
            "Bouncy Castle Licence",
            "Unicode/ICU License");

    private CheckLicences() {}

    public static void main(String[] arguments) throws IOException {
        var bill = JsonMapper.builder().build().readTree(Path.of(arguments[0]).toFile());
        var refused = new ArrayList<String>();
        for (var component : bill.path("components")) {
            var licences = licences(component);
            if (licences.stream().noneMatch(ACCEPTED::contains)) {
                refused.add(component.path("group").asText() + ":" + component.path("name").asText() + " under " + licences);
            }
        }
        if (bill.path("components").isEmpty() || !refused.isEmpty()) {
            System.err.println("libraries without an accepted licence: " + refused);
            System.exit(1);
        }
        System.out.println(bill.path("components").size() + " libraries, each under an accepted licence");
    }

    private static List<String> licences(JsonNode component) {
        var licences = new ArrayList<String>();
        for (var entry : component.path("licenses")) {
            var licence = entry.path("license");
            licences.add(licence.path("id").asText(licence.path("name").asText(entry.path("expression").asText())));
        }
        return licences;
    }
}
