package io.millrace.piece.npm;

import static io.millrace.support.FlowScript.trigger;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.piece.PiecePackage;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Polling flows whose piece cannot be found for a while (contract flows-and-engine 16.6). */
class MissingPieceIT {
    private static final String PROBE = "@acme/piece-probe";

    private TestServer server;
    private TestServer.SignedIn admin;
    private String pieceId;
    private LiveFlow flow;

    @BeforeAll
    static void assumeNode() {
        PackageUploads.assumeNode();
    }

    @BeforeEach
    void start() {
        server = TestServer.start();
        admin = server.signUp("ada@example.com", "Ada");
        pieceId = upload();
        flow = LiveFlow.publish(
                admin, trigger(PROBE, "1.0.0", "poll", "{}").map("step_1", "{'seen':'{{trigger.output}}'}"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String upload() {
        var answer = PackageUploads.upload(admin, PiecePackage.probe(PROBE, "1.0.0"));
        assertThat(answer.status()).isEqualTo(201);
        return answer.text("/id");
    }

    private void remove() {
        assertThat(admin.api().delete("/v1/pieces/" + pieceId).status()).isEqualTo(204);
    }

    private Instant nextDue() {
        return Instant.ofEpochSecond(server.count(
                "select coalesce(max(extract(epoch from next_due)), 0)::bigint from trigger_source"
                        + " where flow_id = $1 and deleted is null",
                flow.id()));
    }

    /** Advances the clock to the due time of the source, and waits until it was processed. */
    private void passDue() {
        var due = nextDue();
        server.clock().advance(Duration.between(server.clock().instant(), due).plusSeconds(1));
        Waiting.until("the source was looked at", () -> !nextDue().equals(due));
    }

    private boolean isEnabled() {
        return server.count("select count(*) from flow where id = $1 and status = 'ENABLED'", flow.id()) == 1;
    }

    @Test
    void fires_whenThePiecesCouldNotBeReadAtTheStart() {
        // Given
        server.stopServer();
        server.execute("alter table installed_piece rename to installed_piece_away");
        var next = server.successor();
        try {
            // When
            next.clock().advance(Duration.ofHours(2));
            server.execute("alter table installed_piece_away rename to installed_piece");

            // Then
            Waiting.until(
                    "the poll has begun a run",
                    () -> server.count("select count(*) from trigger_fire where flow_id = $1", flow.id()) > 0);
            assertThat(isEnabled()).isTrue();
        } finally {
            next.close();
        }
    }

    @Test
    void firesAgain_whenThePieceIsAvailableWithinTheHour() {
        // Given
        remove();
        for (var look = 0; look < 5; look++) {
            passDue();
            assertThat(isEnabled()).as("after look %s", look).isTrue();
        }

        // When
        upload();
        passDue();

        // Then
        assertThat(flow.ended(1).at("/steps/step_1/output/seen/n").asInt()).isEqualTo(1);
        assertThat(isEnabled()).isTrue();
    }

    @Test
    void isDisabled_whenThePieceStaysAway() {
        // Given
        remove();
        passDue();
        passDue();
        assertThat(isEnabled()).isTrue();

        // When
        server.clock().advance(Duration.ofHours(1));

        // Then
        Waiting.until("the flow is disabled", () -> !isEnabled());
    }
}
