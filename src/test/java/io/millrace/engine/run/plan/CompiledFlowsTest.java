package io.millrace.engine.run.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.authoring.flow.EnabledFlows;
import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.bus.Bus;
import io.millrace.engine.run.log.InputTruncation;
import io.millrace.piece.catalogue.PieceCatalogue;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class CompiledFlowsTest {
    private static final Instant NOW = Instant.parse("2026-01-05T10:20:30Z");
    private static final int FLOWS = 3 * EnabledFlows.MOST;

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        Waiting.await(vertx.close());
    }

    @Test
    void takeAShareOfTheHeap_andHaveRoomInASmallOne() {
        assertThat(CompiledFlows.bytesMax(64L << 20)).isEqualTo(16L << 20);
        assertThat(CompiledFlows.bytesMax(256L << 20)).isEqualTo(16L << 20);
        assertThat(CompiledFlows.bytesMax(8L << 30)).isEqualTo(512L << 20);
    }

    @Test
    void areCompiledOnce_whenMoreThanAreCompiledAheadAreCalledInTurn() {
        // Given
        var read = new AtomicInteger();
        var bus = new Bus(vertx);
        bus.serve(Flows.GetVersion.class, ask -> {
            read.incrementAndGet();
            return Future.succeededFuture(FlowVersion.empty(ask.versionId(), "flow", "Flow", NOW));
        });
        bus.serve(Flows.PieceScopeOf.class, _ -> Future.succeededFuture(PieceScope.EVERYBODY));
        var compiler = new PlanCompiler(
                new PieceCatalogue(List.of()),
                (_, step, _) -> Future.failedFuture(step.name()),
                new InputTruncation(Long.MAX_VALUE));
        var flows = new CompiledFlows(bus, compiler);

        // When
        askForAll(flows);
        askForAll(flows);

        // Then
        assertThat(read).hasValue(FLOWS);
    }

    private static void askForAll(CompiledFlows flows) {
        for (var number = 0; number < FLOWS; number++) {
            Waiting.await(flows.of("version" + number, null, "project"));
        }
    }
}
