package io.millrace.engine.run.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.authoring.flow.EnabledFlows;
import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.editor.FlowEditor;
import io.millrace.authoring.flow.editor.FlowOperation;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.Json;
import io.millrace.engine.run.log.InputTruncation;
import io.millrace.piece.catalogue.PieceCatalogue;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.catalogue.Pieces;
import io.millrace.support.FlowScript;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
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
        var flows = new CompiledFlows(bus, compiler());

        // When
        askForAll(flows);
        askForAll(flows);

        // Then
        assertThat(read).hasValue(FLOWS);
    }

    @Test
    void areCompiledAgainAfterAMinute_whileAPieceIsMissing() {
        // Given
        var read = new AtomicInteger();
        var nanos = new AtomicLong();
        var bus = new Bus(vertx);
        var lacking = (FlowOperation.VersionEdit) FlowOperation.parse(FlowScript.webhook()
                .piece("step_1", "@acme/piece-away", "1.0.0", "act", Json.object())
                .importOperation("Mill"));
        bus.serve(Flows.GetVersion.class, ask -> {
            read.incrementAndGet();
            return Future.succeededFuture(FlowEditor.apply(
                    FlowVersion.empty(ask.versionId(), "flow", "Flow", NOW),
                    lacking,
                    new FlowEditor.Context(NOW, "user")));
        });
        bus.serve(Flows.PieceScopeOf.class, _ -> Future.succeededFuture(PieceScope.EVERYBODY));
        bus.serve(Pieces.Provide.class, _ -> Future.succeededFuture(Nothing.DONE));
        var flows = new CompiledFlows(bus, compiler(), nanos::get);

        // When
        Waiting.await(flows.of("version", null, "project"));
        nanos.addAndGet(Duration.ofSeconds(59).toNanos());
        Waiting.await(flows.of("version", null, "project"));

        // Then
        assertThat(read).hasValue(1);

        // When
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
        Waiting.await(flows.of("version", null, "project"));

        // Then
        assertThat(read).hasValue(2);
    }

    private static PlanCompiler compiler() {
        return new PlanCompiler(
                new PieceCatalogue(List.of()),
                (_, step, _) -> Future.failedFuture(step.name()),
                new InputTruncation(Long.MAX_VALUE));
    }

    private static void askForAll(CompiledFlows flows) {
        for (var number = 0; number < FLOWS; number++) {
            Waiting.await(flows.of("version" + number, null, "project"));
        }
    }
}
