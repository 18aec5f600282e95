package io.millrace.workspace.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.OutboundResponse;
import io.millrace.base.net.WebAddress;
import io.millrace.workspace.oauth.OAuthFailure.Kind;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenAnswerTest {
    @Test
    void readsJson_andKeepsTheRestAsData() {
        // When
        var value = read(200, "{'access_token':'a','refresh_token':'r','expires_in':60,'team':{'id':7}}");

        // Then
        assertThat(value)
                .isEqualTo(json("{'access_token':'a','refresh_token':'r','expires_in':60,'data':{'team':{'id':7}}}"));
    }

    @Test
    void readsAForm() {
        // When
        var value = read(200, "access_token=a%2Bb&scope=x+y&flag");

        // Then
        assertThat(value).isEqualTo(json("{'access_token':'a+b','scope':'x y','data':{}}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"access_token=a%FFb", "access_token=a&scope=50%", "access_token=a%"})
    void refusesAForm_whoseBytesAreNoUtf8(String body) {
        var failure = catchThrowableOfType(OAuthFailure.class, () -> read(200, body));

        assertThat(failure.kind()).isEqualTo(Kind.UNCLEAR);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            400 | {'error':'invalid_grant','error_description':'gone'} | REFUSED    | invalid_grant: gone
            401 | {'error':'invalid_client'}                           | REFUSED    | invalid_client
            200 | {'error':'bad_code'}                                 | REFUSED    | bad_code
            400 | {'message':'my secret is x'}                         | REFUSED    | the provider answered with status 400 and no token
            200 | <html>                                               | UNCLEAR    | the provider answered with status 200 and no token
            302 |                                                      | UNCLEAR    | the provider answered with status 302 and no token
            403 | <html>blocked by the proxy                           | UNCLEAR    | the provider answered with status 403 and no token
            408 | {'error':'x'}                                        | UNCLEAR    | the provider answered with status 408 and no token
            307 | {'error':'moved'}                                    | UNCLEAR    | the provider answered with status 307 and no token
            500 | {'error':'x'}                                        | UNANSWERED | the provider answered with status 500
            429 | {}                                                   | UNANSWERED | the provider answered with status 429
            """)
    void reportsWhyThereIsNoToken(int status, String body, Kind kind, String message) {
        // When
        var failure = catchThrowableOfType(OAuthFailure.class, () -> read(status, body == null ? "" : body));

        // Then
        assertThat(failure.kind()).isEqualTo(kind);
        assertThat(failure).hasMessage(message);
    }

    @Test
    void cutsLongReasons() {
        // When
        var failure = catchThrowableOfType(OAuthFailure.class, () -> read(400, "{'error':'" + "x".repeat(5000) + "'}"));

        // Then
        assertThat(failure.getMessage()).hasSize(300);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {'claimed_at':1000,'expires_in':3600,'refresh_token':'r'}                | 3700
            {'claimed_at':1000,'expires_in':'3600','refresh_token':'r'}              | 3700
            {'claimed_at':1000,'expires_in':600,'refresh_token':'r'}                 | 1300
            {'claimed_at':1000,'refresh_token':'r'}                                  | 3700
            {'claimed_at':1000,'expires_in':0,'refresh_token':'r'}                   | 1000
            {'claimed_at':1000,'expires_in':-5,'refresh_token':'r'}                  | 1000
            {'claimed_at':1000,'expires_in':3600,'grant_type':'client_credentials'}  | 3700
            {'claimed_at':1000,'expires_in':3600}                                    |
            """)
    void knowsWhenATokenIsDue(String value, Long second) {
        assertThat(TokenExchange.renewalDue(json(value))
                        .map(Instant::getEpochSecond)
                        .orElse(null))
                .isEqualTo(second);
    }

    @Test
    void aTokenLivesToItsEnd() {
        // Given
        var value = json("{'claimed_at':1000,'expires_in':60}");

        // Then
        assertThat(TokenExchange.isAlive(value, Instant.ofEpochSecond(1059))).isTrue();
        assertThat(TokenExchange.isAlive(value, Instant.ofEpochSecond(1060))).isFalse();
    }

    private static ObjectNode read(int status, String body) {
        return TokenAnswer.read(new OutboundResponse(
                status,
                MultiMap.caseInsensitiveMultiMap(),
                Buffer.buffer(body.replace('\'', '"')),
                WebAddress.parse("https://provider.example.com/token")));
    }

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.trusted(text.replace('\'', '"'));
    }
}
