package io.millrace.embedding;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.access.PlatformRole;
import io.millrace.access.Principal;
import io.millrace.audit.AuditTrail;
import io.millrace.bus.Bus;
import io.millrace.core.Json;
import io.millrace.persistence.Database;
import io.millrace.secret.RsaKeys;
import io.millrace.secret.RsaToken;
import io.millrace.support.MovableClock;
import io.millrace.support.TestPostgres;
import io.millrace.support.TestProjects;
import java.security.KeyPair;
import org.junit.jupiter.api.Test;

class SigningKeyIT {
    private static final long DEADLINE_MS = 10_000;

    @Test
    void givesThePrivateHalfAway_andKeepsTheOther() {
        // Given
        var pair = RsaKeys.generate(2048);
        var vertx = TestPostgres.vertx();
        var database = Database.open(vertx, TestPostgres.freshDatabase());
        var bus = new Bus(vertx);
        var clock = new MovableClock();
        new SigningKeyService(vertx, database, new AuditTrail(clock), () -> pair, clock).open(bus);
        var platformId = TestProjects.insert(database);
        var by = new Principal.User(platformId, platformId, PlatformRole.ADMIN);

        try {
            // When
            var issued = await(bus.ask(new SigningKeys.Create(by, "Our shop"), DEADLINE_MS));
            var listed = await(bus.ask(new SigningKeys.ListAll(by), DEADLINE_MS));
            var events = await(database.read(tx -> tx.query("select body from audit_event")));

            // Then
            assertThat(listed).containsExactly(issued.key());
            assertThat(issued.toString()).doesNotContain("PRIVATE");
            assertThat(issued.privateKey()).startsWith("-----BEGIN RSA PRIVATE KEY-----");
            assertThat(signedByIt(issued, pair)).isTrue();
            assertThat(events.iterator().next().getString(0))
                    .contains(issued.key().id())
                    .doesNotContain("KEY-----");
        } finally {
            await(database.close());
            await(vertx.close());
        }
    }

    private static boolean signedByIt(SigningKeys.Issued issued, KeyPair pair) {
        var token = RsaToken.issue(issued.key().id(), pair.getPrivate(), Json.object());
        return RsaToken.parse(token)
                .orElseThrow()
                .isSignedBy(RsaKeys.publicKey(issued.key().publicKey()));
    }
}
