package io.millrace.base.http.server;

import io.millrace.base.config.HttpLimitSettings;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of one event loop: counted when they are accepted, and closed when they are too slow. A check of all of
 * them each second adds no cost to a request, unlike a timer for each.
 */
final class ConnectionDeadlines {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionDeadlines.class);

    static final long LOOK_MS = 1_000;
    private static final String BEFORE = "handler";
    private static final String PROGRESS = "progress";
    private static final String ADMISSION = "admission";
    private static final String SLICES = "slices";

    private final ConnectionLimits limits;
    private final ConnectionProgress.Deadlines deadlines;
    private final AnswerBudget answers;
    private final Set<ConnectionProgress> open = new HashSet<>();

    ConnectionDeadlines(ConnectionLimits limits, HttpLimitSettings settings, AnswerBudget answers) {
        this.limits = limits;
        this.answers = answers;
        this.deadlines = new ConnectionProgress.Deadlines(
                settings.connections().headerTimeout().toNanos(),
                settings.connections().bodyTimeout().toNanos(),
                settings.connections().bytesPerSecondMin());
    }

    /** Registers an accepted connection, or closes it at once when there are too many. */
    void accepted(HttpConnection connection) {
        var channel =
                ((HttpServerConnection) connection).channelHandlerContext().channel();
        var address = channel.remoteAddress() instanceof InetSocketAddress peer ? peer.getAddress() : null;
        if (!limits.open(address)) {
            var _ = channel.close();
            return;
        }
        var slices = new AnswerSlices(answers);
        var progress = new ConnectionProgress(deadlines, System::nanoTime, slices::waitingBytes);
        channel.pipeline().addFirst(SLICES, slices);
        channel.pipeline().addBefore(BEFORE, ADMISSION, new AnswerAdmission(answers));
        channel.pipeline().addBefore(BEFORE, PROGRESS, progress);
        open.add(progress);
        var _ = channel.closeFuture().addListener(_ -> ended(progress, address));
    }

    private void ended(ConnectionProgress progress, InetAddress address) {
        open.remove(progress);
        limits.close(address);
    }

    void look() {
        for (var progress : List.copyOf(open)) {
            progress.lateness().ifPresent(late -> {
                LOG.debug("closing a connection: {}", late);
                progress.close();
            });
        }
    }
}
