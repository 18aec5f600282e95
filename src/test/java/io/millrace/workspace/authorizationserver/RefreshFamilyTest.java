package io.millrace.workspace.authorizationserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Ids;
import io.millrace.workspace.authorizationserver.RefreshFamily.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Decisions about presented refresh tokens, for random sequences of rotations, repetitions and pauses. */
final class RefreshFamilyTest {
    private static final Instant START = Instant.parse("2026-03-09T12:00:00Z");
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final int SEQUENCES = 500;
    private static final int STEPS = 40;

    /** The model: all tokens in the order in which they became valid, and the time of the last rotation. */
    private static final class Model {
        final List<RefreshToken> tokens = new ArrayList<>(List.of(RefreshToken.fresh()));
        Instant now = START;
        Instant rotated = START;
        RefreshFamily family = family(tokens.getFirst(), Optional.empty());

        void rotate() {
            var salt = RefreshToken.freshSalt();
            var spent = tokens.getLast();
            tokens.add(spent.successor(salt));
            rotated = now;
            family = family(tokens.getLast(), Optional.of(new RefreshFamily.Predecessor(spent.hash(), now, salt)));
        }

        Class<? extends Verdict> expected(int index) {
            var age = tokens.size() - 1 - index;
            if (age == 0) {
                return Verdict.Rotate.class;
            }
            return age == 1 && now.isBefore(rotated.plus(GRACE)) ? Verdict.Repeat.class : Verdict.Reuse.class;
        }
    }

    @Test
    void agreesWithTheModel() {
        var random = new Random(368);
        for (var sequence = 0; sequence < SEQUENCES; sequence++) {
            var model = new Model();
            for (var step = 0; step < STEPS; step++) {
                model.now = model.now.plusSeconds(random.nextInt(20));
                var index = random.nextInt(model.tokens.size());
                var presented = model.tokens.get(index);
                var verdict = model.family.verdict(client(ClientAuthentication.NONE), presented, model.now, GRACE);
                assertThat(verdict).isInstanceOf(model.expected(index));
                switch (verdict) {
                    case Verdict.Rotate() -> model.rotate();
                    case Verdict.Repeat(var valid) -> assertThat(valid).isEqualTo(model.tokens.getLast());
                    default -> assertThat(presented).isNotEqualTo(model.tokens.getLast());
                }
            }
            assertThat(model.tokens.stream().map(RefreshToken::familyHash).distinct())
                    .hasSize(1);
            assertThat(model.tokens)
                    .doesNotHaveDuplicates()
                    .allSatisfy(token -> assertThat(token.text()).matches("[A-Za-z0-9_-]{64}"));
        }
    }

    @Test
    void allowsNoRepetition_withoutAGrace() {
        var model = new Model();
        model.rotate();

        assertThat(model.family.verdict(
                        client(ClientAuthentication.NONE), model.tokens.getFirst(), model.now, Duration.ZERO))
                .isEqualTo(new Verdict.Reuse());
    }

    @Test
    void neverRotatesForAConfidentialClient() {
        var model = new Model();
        var client = client(ClientAuthentication.CLIENT_SECRET_BASIC);

        assertThat(model.family.verdict(client, model.tokens.getFirst(), START, GRACE))
                .isEqualTo(new Verdict.Keep());
        assertThat(model.family.verdict(client, RefreshToken.fresh(), START, GRACE))
                .isEqualTo(new Verdict.Refuse());
    }

    @Test
    void makesAnotherSuccessorOfAnotherSalt() {
        var token = RefreshToken.fresh();

        assertThat(token.successor("a")).isEqualTo(token.successor("a")).isNotEqualTo(token.successor("b"));
        assertThat(RefreshToken.fresh().successor("a")).isNotEqualTo(token.successor("a"));
    }

    private static OAuthClient client(ClientAuthentication method) {
        return new OAuthClient("client", START, Optional.empty(), List.of(), List.of(), method, Optional.empty());
    }

    private static RefreshFamily family(RefreshToken valid, Optional<RefreshFamily.Predecessor> predecessor) {
        var grant = new Grant(
                Ids.next(),
                START,
                "client",
                Ids.next(),
                Ids.next(),
                Optional.empty(),
                Optional.empty(),
                "https://client.example/cb",
                "challenge",
                "code",
                true,
                START.plus(Duration.ofDays(30)),
                false);
        return new RefreshFamily(grant, valid.hash(), predecessor);
    }
}
