package io.millrace.piece.npm;

import static io.millrace.support.FlowScript.json;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.TestServer;
import io.millrace.support.piece.PiecePackage;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/** Uploads of packages, for tests that are skipped without Node.js. */
public final class PackageUploads {
    private PackageUploads() {}

    public static void assumeNode() {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "node"))),
                "Node.js is not on the PATH");
    }

    static Answer upload(TestServer.SignedIn by, PiecePackage piece) {
        return upload(by, piece.name(), piece.version(), piece.tgz());
    }

    static Answer upload(TestServer.SignedIn by, String name, String version, byte[] archive) {
        var fields = Map.of("packageType", "ARCHIVE", "scope", "PLATFORM", "pieceName", name, "pieceVersion", version);
        return by.api().postForm("/v1/pieces", fields, "pieceArchive", archive);
    }

    /** Creates a connection of the piece, whose secret is a key. */
    public static Answer connect(TestServer.SignedIn by, String pieceName, String key, String externalId) {
        var body = Json.object()
                .put("projectId", by.projectId())
                .put("externalId", externalId)
                .put("displayName", "Key")
                .put("pieceName", pieceName)
                .put("pieceVersion", "1.0.0")
                .put("type", "SECRET_TEXT");
        body.putObject("value").put("type", "SECRET_TEXT").put("secret_text", key);
        return by.api().post("/v1/app-connections", body);
    }

    /** Requests the options of a step's property from the code of the package. */
    static Answer options(TestServer.SignedIn by, String pieceName, String property, String input, String search) {
        var body = Json.object()
                .put("projectId", by.projectId())
                .put("pieceName", pieceName)
                .put("pieceVersion", "1.0.0")
                .put("actionOrTriggerName", "choose")
                .put("propertyName", property)
                .put("flowId", "a".repeat(21))
                .put("flowVersionId", "b".repeat(21));
        body.set("input", json(input));
        if (search != null) {
            body.put("searchValue", search);
        }
        return by.api().post("/v1/pieces/options", body);
    }
}
