package io.millrace;

import io.millrace.net.AddressGuard;
import io.millrace.net.WebAddress;
import io.millrace.node.NodeSettings;
import io.millrace.node.NodeVerticle;
import io.millrace.node.PackageManager;
import io.millrace.piece.PieceCatalogue;
import io.millrace.piece.npm.InstalledPieceService;
import io.millrace.run.RoomPieceWorld;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The part of {@link PieceRooms} that runs npm pieces: their processes, and what is installed. */
final class NpmRooms {
    /** Less heap than this and large pieces do not even load. */
    private static final long NODE_HEAP_BYTES_MIN = 64L << 20;

    /** Processes for questions of editors, beside those of runs. */
    private static final int NODE_META_PROCESSES = 2;

    private NpmRooms() {}

    /** Pieces call this server back, wherever it is. */
    static NodeVerticle node(Ground ground) {
        var config = ground.config();
        return new NodeVerticle(new NodeSettings(
                config.packages().node(),
                nodeDirectory(ground),
                Math.max(NODE_HEAP_BYTES_MIN, config.engine().codeMemoryBytes()),
                config.packages().keptBytesMax(),
                config.engine().codeConcurrency() + NODE_META_PROCESSES,
                () -> network(ground),
                ground.isolation()));
    }

    private static Path nodeDirectory(Ground ground) {
        return ground.config().data().directory().resolve("node");
    }

    private static NodeSettings.Network network(Ground ground) {
        return new NodeSettings.Network(
                AddressGuard.refusedBlocks(),
                Stream.of(ground.config().outbound().allowList().split(",", -1))
                        .map(String::strip)
                        .filter(block -> !block.isEmpty())
                        .toList(),
                Stream.of(ground.publicUrl(), ground.callerUrl())
                        .map(url -> WebAddress.parse(url.get()).hostAndPort())
                        .distinct()
                        .toList());
    }

    static InstalledPieceService installedPieces(Ground ground, PieceCatalogue pieces, NodeVerticle node) {
        var config = ground.config();
        return new InstalledPieceService(new InstalledPieceService.Parts(
                ground.vertx(),
                ground.database(),
                pieces,
                node,
                new PackageManager(new PackageManager.Parts(
                        config.packages().node(),
                        config.packages().registry(),
                        nodeDirectory(ground),
                        () -> network(ground),
                        ground.isolation())),
                ground.isolation(),
                new RoomPieceWorld(ground.bus(), ground.config().engine().bindsConnections(), ground.clock()),
                config.data().directory().resolve("pieces"),
                ground.publicUrl(),
                ground.tokens()::issueEngine,
                config.engine().fileBytesMax(),
                config.packages().installsOnDemand(),
                ground.clock()));
    }
}
