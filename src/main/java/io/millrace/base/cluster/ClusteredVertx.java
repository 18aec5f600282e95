package io.millrace.base.cluster;

import io.millrace.base.config.ClusterSettings;
import io.millrace.base.core.memory.PackedLibrary;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.spi.cluster.ClusterManager;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/**
 * Event loops of a node of a cluster, joined by Hazelcast (decision 0158), whose classes are loaded from an archive of the
 * packaged file.
 */
public final class ClusteredVertx {
    private static final String LIBRARY = "cluster";

    private static final String ENGINE = "io.millrace.base.cluster.HazelcastEngine";

    private ClusteredVertx() {}

    /**
     * Joins the cluster; fails when its ports are in use.
     *
     * @param directory for the unpacked classes of the cluster engine
     */
    public static Future<Vertx> open(
            VertxBuilder builder, VertxOptions options, ClusterSettings cluster, Path directory) {
        options.getEventBusOptions()
                .setHost(cluster.host())
                .setPort(cluster.port() + 1)
                .setClusterPublicHost(cluster.host())
                .setClusterPublicPort(cluster.publicPort() + 1);
        try {
            return builder.with(options)
                    .withClusterManager(manager(cluster, directory))
                    .buildClustered();
        } catch (IOException | ReflectiveOperationException failure) {
            return Future.failedFuture(failure);
        }
    }

    /** Creates the cluster manager with the context class loader that its library looks its files up with. */
    private static ClusterManager manager(ClusterSettings cluster, Path directory)
            throws IOException, ReflectiveOperationException {
        var thread = Thread.currentThread();
        var former = thread.getContextClassLoader();
        var loader = loader(directory);
        thread.setContextClassLoader(loader);
        try {
            var engine = Class.forName(ENGINE, true, loader).asSubclass(ClusterEngine.class);
            return engine.getDeclaredConstructor().newInstance().manager(cluster);
        } finally {
            thread.setContextClassLoader(former);
        }
    }

    /** Loader of the unpacked library, which lives as long as the process; without an archive, this class's own. */
    private static ClassLoader loader(Path directory) throws IOException {
        var own = ClusteredVertx.class.getClassLoader();
        var library = PackedLibrary.unpack(LIBRARY, directory);
        if (library.isEmpty()) {
            return own;
        }
        return new URLClassLoader("cluster", new URL[] {library.get().toUri().toURL()}, own);
    }
}
