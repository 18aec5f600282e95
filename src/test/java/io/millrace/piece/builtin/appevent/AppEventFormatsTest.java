package io.millrace.piece.builtin.appevent;

import static io.millrace.base.net.LocalServer.failure;
import static io.millrace.base.net.LocalServer.result;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.piece.AppEvents;
import io.millrace.piece.AppEvents.ParseResult;
import io.millrace.piece.PieceFailure;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Event formats and signatures of the apps (contract agents 8.1). */
class AppEventFormatsTest {
    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
    private static final String PUBLIC_URL = "https://mill.example";
    private static final JsonNode SECRET = TextNode.valueOf("s3cret");

    private static final Map<String, AppEvents> FORMATS = AppEventFormats.all(Duration.ofMinutes(5), () -> NOW);

    private static ObjectNode request(String rawBody, String... headers) {
        var payload = Json.object().put("method", "POST").put("rawBody", rawBody);
        payload.set("body", Json.trusted(rawBody));
        payload.putObject("queryParams");
        var all = payload.putObject("headers");
        for (var i = 0; i < headers.length; i += 2) {
            all.put(headers[i], headers[i + 1]);
        }
        return payload;
    }

    private static byte[] mac(String algorithm, String secret, String text) {
        try {
            var mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), algorithm));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static ParseResult parsed(String app, ObjectNode payload) {
        return result(FORMATS.get(app).parseAndReply(payload, PUBLIC_URL));
    }

    private static boolean isSigned(String app, JsonNode secret, ObjectNode payload) {
        return result(FORMATS.get(app).verify(secret, payload, PUBLIC_URL + "/api/v1/app-events/" + app));
    }

    private static ObjectNode slack(String body, long timestamp) {
        var signature = "v0=" + hex(mac("HmacSHA256", "s3cret", "v0:" + timestamp + ":" + body));
        return request(body, "x-slack-signature", signature, "x-slack-request-timestamp", "" + timestamp);
    }

    @Test
    void readsWhatHappenedAndToWhom() {
        assertThat(parsed(
                        "slack", request("{\"team_id\":\"T1\",\"event_id\":\"E1\",\"event\":{\"type\":\"message\"}}")))
                .isEqualTo(new ParseResult.Event("message", "T1", Optional.of("E1")));
        assertThat(parsed("square", request("{\"type\":\"order.created\",\"merchant_id\":\"M1\",\"event_id\":\"E2\"}")))
                .isEqualTo(new ParseResult.Event("order.created", "M1", Optional.of("E2")));
        assertThat(parsed("intercom", request("{\"topic\":\"user.created\",\"app_id\":\"A1\",\"id\":\"N1\"}")))
                .isEqualTo(new ParseResult.Event("user.created", "A1", Optional.of("N1")));
        assertThat(parsed(
                        "facebook-leads",
                        request("{\"entry\":[{\"changes\":[{\"value\":{\"page_id\":12,\"leadgen_id\":\"L1\"}}]}]}")))
                .isEqualTo(new ParseResult.Event("lead", "12", Optional.of("L1")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"slack", "square", "intercom", "facebook-leads"})
    void findsNothingInWhatIsNoEvent(String app) {
        for (var body :
                new String[] {"{}", "[]", "\"text\"", "7", "{\"event\":[],\"type\":1,\"topic\":{},\"entry\":7}"}) {
            assertThat(parsed(app, request(body))).isEqualTo(new ParseResult.Malformed());
            assertThat(isSigned(app, SECRET, request(body))).isFalse();
        }
    }

    @Test
    void answersTheChecksOfAnAddress() {
        var slack =
                (ParseResult.Reply) parsed("slack", request("{\"type\":\"url_verification\",\"challenge\":\"abc\"}"));
        var facebook = request("{}");
        facebook.putObject("queryParams")
                .put("hub.verify_token", "activepieces")
                .put("hub.challenge", "42");
        var checked = (ParseResult.Reply) parsed("facebook-leads", facebook);
        facebook.putObject("queryParams").put("hub.verify_token", "another").put("hub.challenge", "42");

        assertThat(slack.answer().body().asText()).isEqualTo("abc");
        assertThat(slack.answer().headers()).containsEntry("content-type", "text/plain");
        assertThat(checked.answer().body().asText()).isEqualTo("42");
        assertThat(parsed("facebook-leads", facebook)).isEqualTo(new ParseResult.Malformed());
    }

    @Test
    void believesTheSignatureOfEachApp() {
        var body = "{\"topic\":\"ü\",\"app_id\":\"A1\"}";
        var square = Base64.getEncoder()
                .encodeToString(mac("HmacSHA256", "s3cret", "https://mill.example/api/v1/app-events/square" + body));

        assertThat(isSigned("slack", SECRET, slack(body, NOW.getEpochSecond()))).isTrue();
        assertThat(isSigned("square", SECRET, request(body, "x-square-hmacsha256-signature", square)))
                .isTrue();
        assertThat(isSigned(
                        "facebook-leads",
                        SECRET,
                        request(body, "x-hub-signature-256", "sha256=" + hex(mac("HmacSHA256", "s3cret", body)))))
                .isTrue();
        assertThat(isSigned(
                        "intercom",
                        SECRET,
                        request(body, "x-hub-signature", "sha1=" + hex(mac("HmacSHA1", "s3cret", body)))))
                .isTrue();
    }

    @Test
    void doesNotBelieveAnotherSecretBodyAddressOrPrefix() {
        var body = "{\"app_id\":\"A1\"}";
        var good = slack(body, NOW.getEpochSecond());
        var square = Base64.getEncoder()
                .encodeToString(mac("HmacSHA256", "s3cret", "https://other.example/api/v1/app-events/square" + body));
        var bare = hex(mac("HmacSHA256", "s3cret", body));

        assertThat(isSigned("slack", TextNode.valueOf("another"), good)).isFalse();
        assertThat(isSigned("slack", SECRET, good.deepCopy().put("rawBody", body + " ")))
                .isFalse();
        assertThat(isSigned("slack", SECRET, good.deepCopy().without("rawBody")))
                .isFalse();
        assertThat(isSigned("square", SECRET, request(body, "x-square-hmacsha256-signature", square)))
                .isFalse();
        assertThat(isSigned("facebook-leads", SECRET, request(body, "x-hub-signature-256", bare)))
                .isFalse();
        assertThat(isSigned("intercom", SECRET, request(body, "x-hub-signature", "sha256=" + bare)))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"0,true", "-300,true", "-301,false", "300,true", "301,false"})
    void believesASlackSignatureForAWhileOnly(long seconds, boolean believed) {
        var request = slack("{}", NOW.getEpochSecond() + seconds);

        assertThat(isSigned("slack", SECRET, request)).isEqualTo(believed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "now", "99999999999999999999", " 1", "٣"})
    void rejectsAnInvalidTime(String timestamp) {
        var signature = "v0=" + hex(mac("HmacSHA256", "s3cret", "v0:" + timestamp + ":{}"));
        var request = request("{}", "x-slack-signature", signature, "x-slack-request-timestamp", timestamp);

        assertThat(isSigned("slack", SECRET, request)).isFalse();
    }

    @Test
    void choosesTheSecretOfAnIntercomApp_andHasNoneForAnother() {
        var secrets = Json.object().put("A1", "one").put("A2", "two");
        var body = "{\"topic\":\"t\",\"app_id\":\"A2\"}";
        var unknown = "{\"topic\":\"t\",\"app_id\":\"A3\"}";

        assertThat(isSigned(
                        "intercom",
                        secrets,
                        request(body, "x-hub-signature", "sha1=" + hex(mac("HmacSHA1", "two", body)))))
                .isTrue();
        assertThat(isSigned(
                        "intercom",
                        secrets,
                        request(body, "x-hub-signature", "sha1=" + hex(mac("HmacSHA1", "one", body)))))
                .isFalse();
        assertThat(isSigned(
                        "intercom",
                        secrets,
                        request(unknown, "x-hub-signature", "sha1=" + hex(mac("HmacSHA1", "one", unknown)))))
                .isFalse();
    }

    private static ObjectNode pressed(String payload) {
        var request = request("{}");
        request.putObject("body").put("payload", payload);
        return request;
    }

    @Test
    void readsWhatPeoplePressInSlack() {
        var url = PUBLIC_URL + "/api/v1/flow-runs/1/waitpoints/2";
        var button = "{\"type\":\"block_actions\",\"actions\":[{\"type\":\"button\",\"value\":\"%s\"}]}";

        assertThat(parsed("slack", pressed(button.formatted(url)))).isInstanceOf(ParseResult.Press.class);
        assertThat(parsed("slack", pressed(button.formatted("https://mill.example.evil/x"))))
                .isEqualTo(new ParseResult.Irrelevant());
        assertThat(parsed("slack", pressed(button.formatted("http://169.254.169.254/"))))
                .isEqualTo(new ParseResult.Irrelevant());
        assertThat(parsed("slack", pressed("{\"type\":\"view_closed\",\"team\":{\"id\":\"T1\"},\"trigger_id\":\"9\"}")))
                .isEqualTo(new ParseResult.Event("view_closed", "T1", Optional.of("9")));
        assertThat(failure(FORMATS.get("slack").parseAndReply(pressed("{no"), PUBLIC_URL)))
                .isInstanceOf(PieceFailure.class);
    }
}
