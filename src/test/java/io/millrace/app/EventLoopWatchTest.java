package io.millrace.app;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.Waiting;
import io.netty.channel.EventLoopGroup;
import io.vertx.core.internal.VertxInternal;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** State of the watch before any event loop can have died. */
final class EventLoopWatchTest {
    @Test
    void allLoopsHaveTheirThreads_beforeAnybodyListens() {
        // given unused event loops
        var vertx = ServerVertx.create();
        var death = new AtomicReference<Throwable>();
        try {
            // when they are watched
            EventLoopWatch.start(vertx, death::set);

            // then all have their threads, including the acceptor, and need none later, when none may be left
            var all = (VertxInternal) vertx;
            Waiting.until("the acceptor has its thread", () -> haveThreads(all.acceptorEventLoopGroup()));
            Waiting.until("the others have theirs", () -> haveThreads(all.nettyEventLoopGroup()));
            assertThat(((ThreadPoolExecutor) all.workerPool().executor()).getPoolSize())
                    .isEqualTo(1);
            assertThat(death).hasNullValue();
        } finally {
            await(vertx.close());
        }
    }

    private static boolean haveThreads(EventLoopGroup loops) {
        var threads = Thread.getAllStackTraces().keySet();
        return StreamSupport.stream(loops.spliterator(), false)
                .allMatch(loop -> threads.stream().anyMatch(loop::inEventLoop));
    }
}
