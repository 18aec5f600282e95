package io.millrace.app.module;

import io.millrace.base.metrics.ServerMeter;
import io.millrace.base.net.AddressGuard;
import io.millrace.base.net.HostClass;
import io.millrace.base.net.WebAddress;
import io.millrace.engine.run.step.ProjectPieceWorld;
import io.millrace.piece.catalogue.PieceCatalogue;
import io.millrace.piece.feed.PieceFeedService;
import io.millrace.piece.npm.InstalledPieceService;
import io.millrace.sandbox.node.NodeVerticle;
import io.millrace.sandbox.node.call.NodeSettings;
import io.millrace.sandbox.node.watch.ResourceWatch;
import io.millrace.sandbox.npm.PackageManager;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Part of {@link PieceModule} that runs npm pieces: their processes and installed packages. */
final class NpmModule {
    /** Minimum heap; large pieces do not load with less. */
    private static final long NODE_HEAP_BYTES_MIN = 64L << 20;

    /** Processes for requests of editors, separate from those of runs. */
    private static final int NODE_META_PROCESSES = 2;

    /** Two, because a call may wait for another: for a flow that the piece has called. */
    private static final int NODE_PROCESSES_MIN = 2;

    /** Usual memory of a process outside its heap. */
    private static final long NODE_BESIDE_HEAP_BYTES = 128L << 20;

    /** Release of the family whose pieces this server runs, as lists of pieces are asked by. */
    private static final String RELEASE = "0.86.0";

    /** Directory of installed packages, below that of the sandbox. */
    static final String PIECES = "pieces";

    private NpmModule() {}

    /** Pieces call this server back, wherever it is. */
    static NodeVerticle node(ServerContext context) {
        var config = context.config();
        var heapBytes =
                Math.max(NODE_HEAP_BYTES_MIN, config.runs().engine().code().memoryBytes());
        var bytesEach = heapBytes + NODE_BESIDE_HEAP_BYTES;
        var usual = MachineMemory.ofHost()
                .processes(
                        config.runs().engine().code().concurrency() + NODE_META_PROCESSES,
                        NODE_PROCESSES_MIN,
                        bytesEach);
        var settings = new NodeSettings(
                config.packages().node(),
                nodeDirectory(context),
                heapBytes,
                config.packages().keptBytesMax(),
                limits(context, usual, bytesEach),
                () -> network(context),
                context.sandbox().isolation(),
                CodeModule.backoff(context));
        var node = new NodeVerticle(settings, context.sandbox().gateway());
        var meters = context.observation().meters();
        meters.gauge(ServerMeter.NODE_PROCESSES, () -> node.load().busy(), "busy");
        meters.gauge(ServerMeter.NODE_PROCESSES, () -> node.load().free(), "free");
        meters.gauge(ServerMeter.NODE_CALLS_WAITING, () -> node.load().waiting());
        meters.gauge(ServerMeter.CODE_CALLS_HELD, () -> node.load().held(), "node");
        meters.gauge(ServerMeter.CODE_CALLS_LONG, () -> node.load().background(), "node");
        return node;
    }

    /**
     * Limits of processes of Node.js or Python.
     *
     * @param usual concurrent processes while no project has to wait
     * @param bytesEach memory that each may grow to
     */
    static NodeSettings.Limits limits(ServerContext context, int usual, long bytesEach) {
        var packages = context.config().packages();
        var processes = packages.code().processes();
        return new NodeSettings.Limits(
                usual,
                MachineMemory.ofHost().ceiling(usual, processes.beyondMax(), bytesEach),
                packages.code().dependencies().scratchBytesMax(),
                processes.pieceScratchBytesMax(),
                processes.openFilesMax(),
                processes.outputFilesMax(),
                processes.threadsMax());
    }

    private static Path nodeDirectory(ServerContext context) {
        return context.sandbox().directory().resolve("node");
    }

    private static NodeSettings.Network network(ServerContext context) {
        return new NodeSettings.Network(
                AddressGuard.refusedBlocks(),
                Stream.of(context.core()
                                .live()
                                .get()
                                .network()
                                .outbound()
                                .allowList()
                                .split(",", -1))
                        .map(String::strip)
                        .filter(block -> !block.isEmpty())
                        .toList(),
                Stream.of(context.network().publicUrl(), context.callerUrl())
                        .map(url -> WebAddress.parse(url.get()).hostAndPort())
                        .distinct()
                        .toList());
    }

    static PackageManager packageManager(ServerContext context) {
        var packages = context.config().packages();
        return new PackageManager(new PackageManager.Parts(
                packages.node(),
                packages.registry(),
                nodeDirectory(context),
                () -> network(context),
                context.sandbox().gateway(),
                context.sandbox().isolation(),
                new ResourceWatch.Bounds(
                        packages.install().memoryBytesMax(), packages.install().fileBytesMax())));
    }

    static InstalledPieceService installedPieces(ServerContext context, PieceCatalogue pieces, NodeVerticle node) {
        var config = context.config();
        return new InstalledPieceService(new InstalledPieceService.Parts(
                new InstalledPieceService.CatalogueRows(
                        context.vertx(),
                        context.database(),
                        pieces,
                        context.security().auditLog(),
                        context.clock()),
                new InstalledPieceService.Packages(
                        packageManager(context),
                        context.sandbox().isolation(),
                        context.sandbox().directory().resolve(PIECES),
                        config.packages().nativePackages(),
                        config.packages().catalogue().installsOnDemand()),
                new InstalledPieceService.Calls(
                        node,
                        new ProjectPieceWorld(
                                context.bus(),
                                context.config().runs().engine().publishing().bindsConnections(),
                                context.clock()),
                        context.network().outbound(),
                        context.network().publicUrl(),
                        context.security().tokens()::issueEngine,
                        config.runs().engine().sizes().fileBytesMax(),
                        context.nodes().node().lease()::exchangeFence)));
    }

    static PieceFeedService feed(ServerContext context) {
        var source = context.config()
                .packages()
                .catalogue()
                .feed()
                .map(feed -> new PieceFeedService.Source(
                        feed.address(),
                        feed.interval(),
                        feed.bytesMax(),
                        RELEASE,
                        context.network().outbound().toHosts(HostClass.PIECE_REGISTRY)));
        return new PieceFeedService(
                context.vertx(),
                context.database(),
                source,
                context.config().packages().catalogue().installsOnDemand(),
                context.clock());
    }
}
