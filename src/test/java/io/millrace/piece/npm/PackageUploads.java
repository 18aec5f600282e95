package io.millrace.piece.npm;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.support.ApiClient.Answer;
import io.millrace.support.PiecePackage;
import io.millrace.support.TestServer;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/** Packages on their way into a server, for tests that are skipped where no Node.js could run them. */
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
}
