package io.millrace.base.secret;

import static io.millrace.base.net.LocalServer.failure;
import static io.millrace.base.net.LocalServer.result;
import static org.assertj.core.api.Assertions.assertThat;

import at.favre.lib.crypto.bcrypt.BCrypt;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.ArrayList;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class PasswordsTest {
    private static final int COST = SecretWork.PRODUCTION.passwordCost();

    @Test
    void verifiesOnlyThePasswordThatWasHashed(Vertx vertx) {
        var passwords = new Passwords(vertx, COST);
        var hash = result(passwords.hash("correct horse"));

        assertThat(hash).startsWith("$2a$10$").hasSize(60);
        assertThat(result(passwords.verify("correct horse", Optional.of(hash)))).isTrue();
        assertThat(result(passwords.verify("correct horsf", Optional.of(hash)))).isFalse();
    }

    @Test
    void saltsEveryHash(Vertx vertx) {
        var passwords = new Passwords(vertx, COST);

        assertThat(result(passwords.hash("same"))).isNotEqualTo(result(passwords.hash("same")));
    }

    @Test
    void answersFalse_whenThereIsNoSuchUser(Vertx vertx) {
        assertThat(result(new Passwords(vertx, COST).verify("anything", Optional.empty())))
                .isFalse();
    }

    @Test
    void doesTheSameWork_whenThereIsNoSuchUser(Vertx vertx) {
        var hash = new Passwords(vertx, COST).unknownUserHash();

        var checked = BCrypt.verifyer().verify("anything".toCharArray(), hash);

        assertThat(checked.validFormat).isTrue();
        assertThat(checked.details.cost).isEqualTo(10);
    }

    @Test
    void answersFalse_whenTheStoredHashIsNotBcrypt(Vertx vertx) {
        assertThat(result(new Passwords(vertx, COST).verify("x", Optional.of("not a hash"))))
                .isFalse();
    }

    @Test
    void countsEveryCharacterOfALongPassword(Vertx vertx) {
        var passwords = new Passwords(vertx, COST);
        var longest = "ü".repeat(63);
        var hash = result(passwords.hash(longest + "a"));

        assertThat(result(passwords.verify(longest + "a", Optional.of(hash)))).isTrue();
        assertThat(result(passwords.verify(longest + "b", Optional.of(hash)))).isFalse();
    }

    @Test
    void refusesAtOnce_whenTooManyWait(Vertx vertx) {
        var passwords = new Passwords(vertx, COST, 3);
        var waiting = new ArrayList<Future<String>>();
        for (var i = 0; i < 4; i++) {
            waiting.add(passwords.hash("x"));
        }

        var refusal = failure(waiting.getLast());

        assertThat(refusal).isInstanceOf(ApiException.class);
        assertThat(((ApiException) refusal).code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
        waiting.subList(0, 3).forEach(hash -> assertThat(result(hash)).startsWith("$2a$"));
        assertThat(result(passwords.hash("x"))).startsWith("$2a$");
    }
}
