package io.millrace;

import io.millrace.bus.Bus;
import io.millrace.config.Config;
import io.millrace.identity.AccessTokens;
import io.millrace.net.AddressGuard;
import io.millrace.net.WebAddress;
import io.millrace.node.NodeSettings;
import io.millrace.node.NodeVerticle;
import io.millrace.node.PackageManager;
import io.millrace.persistence.Database;
import io.millrace.piece.PieceCatalogue;
import io.millrace.piece.npm.InstalledPieceService;
import io.millrace.run.RoomPieceWorld;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The part of {@link Rooms} that runs npm pieces: their processes, and what is installed. */
final class NpmRooms {
    /** Less heap than this and large pieces do not even load. */
    private static final long NODE_HEAP_BYTES_MIN = 64L << 20;

    /** Processes for questions of editors, beside those of runs. */
    private static final int NODE_META_PROCESSES = 2;

    private NpmRooms() {}

    /** Pieces call this server back, wherever it is. */
    static NodeVerticle node(Config config, Supplier<String> address) {
        return new NodeVerticle(new NodeSettings(
                config.packages().node(),
                config.data().directory().resolve("node"),
                Math.max(NODE_HEAP_BYTES_MIN, config.engine().codeMemoryBytes()),
                config.packages().keptBytesMax(),
                config.engine().codeConcurrency() + NODE_META_PROCESSES,
                () -> new NodeSettings.Network(
                        AddressGuard.refusedBlocks(),
                        Stream.of(config.outbound().allowList().split(",", -1))
                                .map(String::strip)
                                .filter(block -> !block.isEmpty())
                                .toList(),
                        List.of(WebAddress.parse(address.get()).hostAndPort()))));
    }

    static InstalledPieceService installedPieces(
            Vertx vertx,
            Config config,
            Bus bus,
            Database database,
            PieceCatalogue pieces,
            NodeVerticle node,
            Supplier<String> publicUrl,
            AccessTokens tokens,
            InstantSource clock) {
        return new InstalledPieceService(new InstalledPieceService.Parts(
                vertx,
                database,
                pieces,
                node,
                new PackageManager(config.packages().node(), config.packages().registry()),
                new RoomPieceWorld(bus, clock),
                config.data().directory().resolve("pieces"),
                publicUrl,
                tokens::issueEngine,
                config.engine().fileBytesMax(),
                config.packages().installsOnDemand(),
                clock));
    }
}
