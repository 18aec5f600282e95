package io.millrace.base.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.ApiException;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.ClosedConnectionException;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseFailureTest {
    private static PgException refused(String state) {
        return new PgException("refused", "ERROR", state, "");
    }

    @Test
    void aStatementThatTookTooLong_doesNotSayThatTheDatabaseIsUnavailable() {
        var cancelled = refused("57014");

        assertThat(DatabaseFailure.isUnavailable(cancelled)).isFalse();
        assertThat(DatabaseFailure.isPassing(cancelled)).isTrue();
        assertThat(DatabaseFailure.isWithoutEffect(cancelled)).isTrue();
        var translated = DatabaseFailure.translated(cancelled, false);
        assertThat(ApiException.isUnavailable(translated)).isTrue();
        assertThat(translated).hasMessageContaining("AP_POSTGRES_STATEMENT_SECONDS");
        assertThat(ApiException.isOutcomeUnknown(DatabaseFailure.translated(cancelled, true)))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"57P01", "57P02", "57P03", "57P05", "25006", "08006", "53300"})
    void aDatabaseThatEndsOrStarts_isUnavailable(String state) {
        assertThat(DatabaseFailure.isUnavailable(refused(state))).isTrue();
        assertThat(DatabaseFailure.isPassing(refused(state))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Parameter at position[0] with class = [java.lang.String] and value = [x] can not be coerced to the expected"
                        + " class = [java.lang.Integer] for encoding.",
                "The number of parameters to execute should be consistent with the expected number of parameters = [2] but"
                        + " the actual number is [1].",
                "The number of parameters (70000) exceeds the maximum of 65535"
            })
    void aWrongParameter_isADefect(String message) {
        assertThat(DatabaseFailure.isUnavailable(new VertxException(message, true)))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Timeout waiting for connection",
                "Connection is not active now, current status: CLOSED",
                "unrecognized configuration parameter while the connection was opened",
                "The server closed the connection before it reported its parameters"
            })
    void aConnectionThatFails_isUnavailable_alsoWhenItsMessageNamesParameters(String message) {
        assertThat(DatabaseFailure.isUnavailable(new VertxException(message, true)))
                .isTrue();
    }

    @Test
    void aLostConnection_isUnavailable() {
        assertThat(DatabaseFailure.isUnavailable(new IOException("broken pipe")))
                .isTrue();
        assertThat(DatabaseFailure.isUnavailable(ClosedConnectionException.INSTANCE))
                .isTrue();
    }
}
