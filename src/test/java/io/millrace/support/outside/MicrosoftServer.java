package io.millrace.support.outside;

import io.millrace.base.core.Json;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Microsoft on 127.0.0.1: the token endpoint, Graph with teams and channels, the Bot Connector, and the keys of the Bot
 * Framework. It signs requests to bots as the Bot Framework does.
 */
public final class MicrosoftServer implements AutoCloseable {
    /** Shared by all servers: the generation of a key takes a second. */
    private static final KeyPair PAIR = keyPair();

    public static final String APP = "00000000-0000-0000-0000-00000000000a";
    public static final String TENANT = "00000000-0000-0000-0000-00000000000b";
    public static final String SECRET = "bot~secret";

    private final Vertx vertx = Vertx.vertx();
    private final HttpServer server;

    /** Method, target and body of every request. */
    public final List<String> calls = new CopyOnWriteArrayList<>();

    /** Status and body of the Bot Connector's responses; a test may change them. */
    public volatile int status = 201;

    public volatile String answer = "{\"id\":\"19:c@thread;messageid=17\",\"activityId\":\"17\"}";

    /** True if the Bot Framework publishes its keys. */
    public volatile boolean showsKeys = true;

    private MicrosoftServer() {
        server = Waiting.await(
                vertx.createHttpServer().requestHandler(this::receive).listen(0, "127.0.0.1"));
    }

    public static MicrosoftServer start() {
        return new MicrosoftServer();
    }

    public static KeyPair keyPair() {
        try {
            var generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }

    public KeyPair pair() {
        return PAIR;
    }

    public String url(String path) {
        return "http://127.0.0.1:" + server.actualPort() + path;
    }

    /** Settings of a server that uses this one as Microsoft. */
    public Map<String, String> settings() {
        return Map.of(
                "AP_MICROSOFT_LOGIN_URL", url("/login"),
                "AP_MICROSOFT_GRAPH_URL", url("/graph"),
                "AP_MICROSOFT_BOT_SERVICE_URL", url("/service"),
                "AP_MICROSOFT_BOT_METADATA_URL", url("/metadata"),
                "AP_MICROSOFT_BOT_ISSUER", issuer());
    }

    public String issuer() {
        return url("/issuer");
    }

    /** Number of requests for the keys. */
    public long keyFetches() {
        return calls.stream().filter(call -> call.startsWith("GET /keys")).count();
    }

    private void receive(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            calls.add(request.method() + " " + request.uri() + " " + body.toString());
            var response = request.response().putHeader("Content-Type", "application/json");
            switch (request.path()) {
                case "/login/" + TENANT + "/oauth2/v2.0/token" -> {
                    var known = body.toString().contains("client_secret=bot~secret")
                            || body.toString().contains("bot%7Esecret");
                    response.setStatusCode(known ? 200 : 401)
                            .end(known ? "{\"access_token\":\"tok\"}" : "{\"error\":\"invalid_client\"}");
                }
                case "/graph/v1.0/teams" -> teams(request);
                case "/graph/v1.0/teams/t%201/channels", "/graph/v1.0/teams/t 1/channels" ->
                    response.end("{\"value\":[{\"id\":\"19:c@thread\",\"displayName\":\"General\"}]}");
                case "/service/v3/conversations" ->
                    response.setStatusCode(status).end(answer);
                case "/metadata" ->
                    response.end(Json.text(Json.object().put("issuer", issuer()).put("jwks_uri", url("/keys"))));
                case "/keys" -> response.setStatusCode(showsKeys ? 200 : 500).end(keys());
                default -> response.setStatusCode(404).end("{}");
            }
        });
    }

    private void teams(HttpServerRequest request) {
        var second = "2".equals(request.getParam("page"));
        var page = Json.object();
        page.putArray("value")
                .addObject()
                .put("id", second ? "t2" : "t 1")
                .put("displayName", second ? "Sales" : "Mill");
        if (!second) {
            page.put("@odata.nextLink", url("/graph/v1.0/teams?page=2"));
        }
        request.response().end(Json.text(page));
    }

    private String keys() {
        var key = (RSAPublicKey) PAIR.getPublic();
        var set = Json.object();
        var shown = set.putArray("keys").addObject();
        shown.put("kty", "RSA").put("use", "sig").put("kid", "k1");
        shown.put("n", base64(bytes(key.getModulus()))).put("e", base64(bytes(key.getPublicExponent())));
        shown.putArray("endorsements").add("msteams");
        return Json.text(set);
    }

    private static byte[] bytes(BigInteger number) {
        var bytes = number.toByteArray();
        return bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
    }

    /** A token for the bot, valid for an hour. */
    public String token(Instant now) {
        return token(PAIR, "{'alg':'RS256','kid':'k1'}", claims(APP, now.plusSeconds(3600)));
    }

    /** Claims of a valid token, with single quotes. */
    public String claims(String audience, Instant expires) {
        return "{'iss':'%s','aud':'%s','exp':%d,'serviceurl':'%s'}"
                .formatted(issuer(), audience, expires.getEpochSecond(), url("/service"));
    }

    /** A token of any header and claims; single quotes are replaced by double ones. */
    public static String token(KeyPair signer, String head, String claims) {
        var signed = base64(head.replace('\'', '"').getBytes(StandardCharsets.UTF_8)) + "."
                + base64(claims.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
        try {
            var signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(signer.getPrivate());
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + "." + base64(signature.sign());
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** A message to the bot, as Teams writes it. */
    public String message(String id, String text) {
        return """
                {"type": "message", "id": "%s", "text": "%s", "channelId": "msteams", "serviceUrl": "%s",
                 "from": {"id": "29:ada"}, "conversation": {"id": "19:c@thread"}, "recipient": {"id": "28:%s"},
                 "channelData": {"tenant": {"id": "%s"}}}
                """.formatted(id, text, url("/service"), APP, TENANT);
    }

    public static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    @Override
    public void close() {
        Waiting.await(vertx.close());
    }
}
