package io.millrace.piece.npm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.PieceSpec;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Complete description of a package with the fields of the server (contract pieces 2.2). Pure. */
public final class PackageDescription {
    private PackageDescription() {}

    public record Label(String id, Instant created, Instant updated, String version) {}

    /** Description of an official package that need not be installed. */
    public static ObjectNode ofOfficial(Label label, String name, ObjectNode metadata) {
        return of(label, NpmDefinitions.spec(new PackageId(name, label.version()), metadata), metadata)
                .put("pieceType", "OFFICIAL")
                .put("packageType", "REGISTRY");
    }

    static ObjectNode of(Label label, PieceSpec spec, ObjectNode metadata) {
        var description = Json.object()
                .put("id", label.id())
                .put("created", Json.timestamp(label.created()))
                .put("updated", Json.timestamp(label.updated()))
                .put("name", spec.name())
                .put("version", label.version());
        // Packages of the first generation contain a separate name that has no other use.
        ObjectNode said = metadata.deepCopy().without(fieldNames(description));
        description.setAll(said);
        description
                .put("description", spec.description())
                .put("logoUrl", spec.logoUrl())
                .put("projectUsage", 0);
        return PieceDefaults.filledIn(description, spec);
    }

    private static Set<String> fieldNames(ObjectNode object) {
        return object.properties().stream().map(Map.Entry::getKey).collect(Collectors.toSet());
    }
}
