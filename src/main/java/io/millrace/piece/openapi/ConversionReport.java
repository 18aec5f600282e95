package io.millrace.piece.openapi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

final class ConversionReport {
    private static final int GAPS_MAX = 1_000;

    private ConversionReport() {}

    static ObjectNode of(
            DocumentConverter.Conversion converted,
            String name,
            OpenApiPieceService.NextVersion version,
            Optional<String> search) {
        var report = Json.object()
                .put("name", name)
                .put("displayName", converted.metadata().path("displayName").asText())
                .put("version", version.text())
                .put("unchanged", version.isUnchanged())
                .put("baseUrl", converted.servers().common())
                .put("operationCount", converted.listed().size())
                .put("actionCount", (int) converted.listed().stream()
                        .filter(DocumentConverter.ListedOperation::converted)
                        .count());
        var servers = report.putArray("servers");
        converted.servers().listed().forEach(server -> servers.add(server.toJson()));
        version.former().ifPresent(former -> report.put("previousVersion", former));
        version.changes()
                .ifPresent(changes -> report.set("changes", changes.toJson().put("to", version.text())));
        var auth = converted.metadata().path("auth");
        var types = report.putArray("authTypes");
        (auth.isArray() ? auth : Json.array().add(auth)).forEach(one -> {
            if (one.has("type")) {
                types.add(one.path("type").asText());
            }
        });
        groups(converted, search, report);
        var gaps = report.putArray("gaps");
        converted.gaps().stream().limit(GAPS_MAX).forEach(gap -> gaps.add(gap.toJson()));
        return report.put("gapCount", converted.gaps().size());
    }

    private static void groups(DocumentConverter.Conversion converted, Optional<String> search, ObjectNode report) {
        var groups = report.putArray("groups");
        Map<String, ObjectNode> byTag = new LinkedHashMap<>();
        converted.listed().stream().filter(one -> isFound(one, search)).forEach(one -> {
            var group = byTag.computeIfAbsent(one.tag(), tag -> {
                var added = groups.addObject().put("tag", tag);
                added.putArray("operations");
                return added;
            });
            group.withArrayProperty("operations").add(one.toJson());
        });
    }

    private static boolean isFound(DocumentConverter.ListedOperation one, Optional<String> search) {
        var text = String.join(" ", one.tag(), one.method(), one.path(), one.operationId(), one.summary())
                .toLowerCase(Locale.ROOT);
        return search.map(wanted -> text.contains(wanted.strip().toLowerCase(Locale.ROOT)))
                .orElse(true);
    }
}
