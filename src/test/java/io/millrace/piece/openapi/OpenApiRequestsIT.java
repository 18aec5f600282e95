package io.millrace.piece.openapi;

import static io.millrace.piece.openapi.OpenApiBench.OPENAPI;
import static io.millrace.support.FlowScript.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.TestServer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Requests of OpenAPI pieces: each kind of credentials, parameter style, body, response and pagination. */
final class OpenApiRequestsIT {
    private static final String FILE =
            "data:text/plain;base64," + Base64.getEncoder().encodeToString("hello".getBytes(StandardCharsets.UTF_8));

    @AutoClose
    private static EchoServer echo = new EchoServer();

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1"));

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");
    private static OpenApiBench bench = new OpenApiBench(ada, echo);

    private static ObjectNode props(String single) {
        return Json.object().set("props", json(single));
    }

    @Test
    void sendsAllSchemesThatApplyTogether() {
        var name = bench.added("11-and-auth.yaml", "both");
        bench.connect("both", name, "CUSTOM_AUTH", props("{'appId':'my id','appKey':'key-123456'}"));
        var sent = bench.sent(name, "a", "both", Json.object());
        assertThat(sent.path("uri").asText()).isEqualTo("/a?app_id=my%20id");
        assertThat(sent.at("/headers/x-app-key").asText()).isEqualTo("key-123456");
        assertThat(bench.sent(name, "open", null, Json.object())
                        .at("/headers/x-app-key")
                        .isMissingNode())
                .isTrue();
    }

    @Test
    void sendsTheFirstSchemeThatTheConnectionHas() {
        var name = bench.added("12-or-auth.yaml", "either");
        bench.connect("bearer", name, "CUSTOM_AUTH", props("{'bearer':'token-123456'}"));
        bench.connect("login", name, "CUSTOM_AUTH", props("{'login_username':'ada','login_password':'päss'}"));
        bench.connect("cookie", name, "CUSTOM_AUTH", props("{'cookie':'abc def'}"));
        bench.connect("none", name, "CUSTOM_AUTH", props("{}"));
        assertThat(bench.sent(name, "a", "bearer", Json.object())
                        .at("/headers/authorization")
                        .asText())
                .isEqualTo("Bearer token-123456");
        assertThat(bench.sent(name, "a", "login", Json.object())
                        .at("/headers/authorization")
                        .asText())
                .isEqualTo("Basic " + Base64.getEncoder().encodeToString("ada:päss".getBytes(StandardCharsets.UTF_8)));
        assertThat(bench.sent(name, "a", "cookie", Json.object())
                        .at("/headers/cookie")
                        .asText())
                .isEqualTo("sid=abc%20def");
        var refused = bench.run(name, "a", "none", Json.object());
        assertThat(refused.text("/failure/message")).contains("Expected credentials for bearer, or login, or cookie");
        assertThat(bench.sent(name, "maybe", null, Json.object())
                        .path("headers")
                        .has("authorization"))
                .isFalse();
        assertThat(bench.sent(name, "maybe", "bearer", Json.object())
                        .path("headers")
                        .has("authorization"))
                .isTrue();
    }

    @Test
    void usesBasicCredentialsOrOAuth() {
        // Given
        var document = Documents.text("03-swagger2.json").replace("https://old.example.com/token", echo.url("/token"));
        var body = Json.object().put("document", document).put("name", "old").put("baseUrl", echo.url(""));
        assertThat(ada.api().post(OPENAPI, body).status()).isEqualTo(201);
        var name = "@openapi/piece-old";
        bench.connect(
                "basic",
                name,
                "BASIC_AUTH",
                Json.object().put("username", "ada").put("password", "secret-1"));
        bench.connect("oauth", name, "OAUTH2", oauth());

        // Then
        var item = Json.object().put("name", "chair").put("size", 2.0);
        var posted = bench.sent(name, "addItem", "basic", item);
        assertThat(posted.at("/headers/authorization").asText()).startsWith("Basic ");
        var listed = bench.sent(name, "items", "oauth", json("{'page':2,'ids':[1,2],'q':['a','b c']}"));
        assertThat(listed.at("/headers/authorization").asText()).isEqualTo("Bearer token-1");
        assertThat(listed.path("uri").asText()).isEqualTo("/items?page=2&ids=1%7C2&q=a,b%20c");
    }

    private static ObjectNode oauth() {
        return Json.object()
                .put("client_id", "mill")
                .put("client_secret", "client-secret")
                .put("code", "4711")
                .put("redirect_url", "https://mill.example.com/redirect")
                .put("scope", "read");
    }

    @Test
    void sendsAnOAuthTokenTogetherWithAKey() {
        var document = Documents.text("13-oauth-and-key.yaml")
                .replace("https://oauthkey.example.com/token", echo.url("/token"));
        var body =
                Json.object().put("document", document).put("name", "oauthkey").put("baseUrl", echo.url(""));
        assertThat(ada.api().post(OPENAPI, body).status()).isEqualTo(201);
        var value = oauth();
        value.putObject("props").put("developer", "dev-123456");
        bench.connect("oauthkey", "@openapi/piece-oauthkey", "OAUTH2", value);
        var sent = bench.sent("@openapi/piece-oauthkey", "a", "oauthkey", Json.object());
        assertThat(sent.at("/headers/authorization").asText()).isEqualTo("Bearer token-1");
        assertThat(sent.at("/headers/developer-token").asText()).isEqualTo("dev-123456");
    }

    @Test
    void usesClientCredentials() {
        var document = Documents.text("14-client-credentials.yaml")
                .replace("https://machine.example.com/token", echo.url("/token"));
        var body =
                Json.object().put("document", document).put("name", "machine").put("baseUrl", echo.url(""));
        assertThat(ada.api().post(OPENAPI, body).status()).isEqualTo(201);
        bench.connect("machine", "@openapi/piece-machine", "OAUTH2", oauth().put("grant_type", "client_credentials"));
        var sent = bench.sent("@openapi/piece-machine", "a", "machine", Json.object());
        assertThat(sent.at("/headers/authorization").asText()).isEqualTo("Bearer token-1");
    }

    @Test
    void sendsToTheHostOfTheConnection() {
        var document =
                Documents.text("01-pets-30.yaml").replace("https://pets.example.com/v1", "'http://{host}/{base}'");
        var body = Json.object().put("document", document).put("name", "hosts");
        body.putArray("connectionVariables").add("host");
        body.putObject("serverVariables").put("base", "v1");
        var added = ada.api().post(OPENAPI, body);
        assertThat(added.status()).as(added.toString()).isEqualTo(201);
        assertThat(added.text("/baseUrl")).isEqualTo("http://{host}/v1");
        assertThat(added.body().path("authTypes")).isEqualTo(json("['CUSTOM_AUTH']"));
        var name = added.text("/name");
        var host = echo.url("").substring("http://".length());
        bench.connect("here", name, "CUSTOM_AUTH", props("{'host':'" + host + "','key':'key-123456'}"));
        bench.connect("inside", name, "CUSTOM_AUTH", props("{'host':'10.0.0.1','key':'key-123456'}"));

        var sent = bench.sent(name, "listPets", "here", Json.object());
        assertThat(sent.path("uri").asText()).startsWith("/v1/pets?");
        assertThat(sent.at("/headers/x-api-key").asText()).isEqualTo("key-123456");
        assertThat(bench.run(name, "listPets", "inside", Json.object()).toString())
                .contains("FAILED", "SSRF");
        assertThatThrownBy(() -> bench.connect(
                        "outside", name, "CUSTOM_AUTH", props("{'host':'a@evil.org/','key':'key-123456'}")))
                .hasMessageContaining("Expected a host such as api.example.com in the field host");
    }

    @Test
    void sendsParametersInTheirStyles() {
        var name = bench.added("17-styles.yaml", "styles");
        var input = json("{'simple':['a/b','c'],'label':['x','y'],'matrix':['m','n'],'object':{'k':'v','w':'ü'},"
                + "'form':['1','2'],'flat':['3','4'],'space':['5','6'],'pipe':['7','8'],'deep':{'a':'1','b c':'2'},"
                + "'filter':{'a':{'b':1}},'raw':'a/b?c=d&e','X-List':['h1','h2'],'token':'t t'}");
        var sent = bench.sent(name, "styles", null, input);
        assertThat(sent.path("uri").asText())
                .isEqualTo(
                        "/s/a%2Fb,c/.x.y/;matrix=m;matrix=n/k=v,w=%C3%BC?form=1&form=2&flat=3,4&space=5%206&pipe=7%7C8"
                                + "&deep%5Ba%5D=1&deep%5Bb%20c%5D=2&filter=%7B%22a%22%3A%7B%22b%22%3A1%7D%7D&raw=a/b?c=d%26e");
        assertThat(sent.at("/headers/x-list").asText()).isEqualTo("h1,h2");
        assertThat(sent.at("/headers/cookie").asText()).isEqualTo("token=t%20t");
        var dots = bench.run(
                name, "styles", null, json("{'simple':['..'],'label':['x'],'matrix':['m'],'object':{'k':'v'}}"));
        assertThat(dots.text("/failure/message")).contains("without a segment of dots");
        var injected = bench.run(
                name,
                "styles",
                null,
                json("{'simple':['a'],'label':['x'],'matrix':['m'],'object':{'k':'v'},'X-List':['a\\r\\nEvil: 1']}"));
        assertThat(injected.text("/status")).isEqualTo("FAILED");
    }

    /** Parameters and fields of the format int64, from texts of an expression. */
    private static final String ORDERS = """
            {"openapi":"3.0.3","info":{"title":"Orders","version":"1"},"paths":{"/orders/{id}":{"put":{
             "operationId":"put","parameters":[
              {"name":"id","in":"path","required":true,"schema":{"type":"integer","format":"int64"}},
              {"name":"after","in":"query","schema":{"type":"integer","format":"int64"}},
              {"name":"X-Trace","in":"header","schema":{"type":"integer"}}],
             "requestBody":{"content":{"application/json":{"schema":{"type":"object","properties":{
              "total":{"type":"number"},"customer":{"type":"integer","format":"int64"},
              "lines":{"type":"array","items":{"type":"object","properties":{"sku":{"type":"integer"}}}}}}}}},
             "responses":{"200":{"description":"ok"}}}}}}
            """;

    @Test
    void sendsIntegersOf64Bits_exactly() {
        var body = Json.object().put("document", ORDERS).put("name", "orders").put("baseUrl", echo.url(""));
        assertThat(ada.api().post(OPENAPI, body).status()).isEqualTo(201);

        var sent = bench.sent(
                "@openapi/piece-orders",
                "put",
                null,
                json("{'id':'8202522731445525542','after':'9223372036854775809','X-Trace':'9007199254740993',"
                        + "'total':'12345678901234567.89','customer':'9007199254740993',"
                        + "'lines':[{'sku':'9007199254740995'}]}"));
        var refused = bench.run("@openapi/piece-orders", "put", null, json("{'id':'1','after':'1e400'}"));

        assertThat(sent.path("uri").asText()).isEqualTo("/orders/8202522731445525542?after=9223372036854775809");
        assertThat(sent.at("/headers/x-trace").asText()).isEqualTo("9007199254740993");
        assertThat(sent.path("body").asText())
                .isEqualTo("{\"total\":12345678901234567.89,\"customer\":9007199254740993,"
                        + "\"lines\":[{\"sku\":9007199254740995}]}");
        assertThat(refused.text("/failure/message")).contains("after", "Expected number, received: 1e400");
    }

    @Test
    void sendsEachKindOfBody() {
        var name = bench.added("18-bodies.yaml", "bodies");
        var multipart = bench.sent(
                name,
                "sendMultipart",
                null,
                json("{'file':'" + FILE + "','more':[{'file':'" + FILE + "'}],'note':'a b','meta':{'a':'x'}}"));
        assertThat(multipart.at("/headers/content-type").asText()).startsWith("multipart/form-data; boundary=");
        assertThat(multipart.path("body").asText())
                .contains("name=\"file\"; filename=\"unknown.txt\"")
                .contains("name=\"more\"; filename=")
                .contains("hello")
                .contains("name=\"note\"\r\n\r\na b")
                .contains("name=\"meta\"\r\n\r\n{\"a\":\"x\"}");
        var form = bench.sent(name, "sendForm", null, json("{'name':'a&b','list':['x','y'],'deep':{'k':'v'}}"));
        assertThat(form.path("body").asText()).isEqualTo("name=a%26b&list=x,y&deep%5Bk%5D=v");
        assertThat(form.at("/headers/content-type").asText()).isEqualTo("application/x-www-form-urlencoded");
        var text = bench.sent(name, "sendText", null, json("{'body':'plain'}"));
        assertThat(text.path("body").asText()).isEqualTo("plain");
        assertThat(text.at("/headers/content-type").asText()).isEqualTo("text/plain");
        var binary = bench.sent(name, "sendBinary", null, json("{'body':'" + FILE + "'}"));
        assertThat(binary.path("body").asText()).isEqualTo("hello");
        assertThat(binary.at("/headers/content-type").asText()).isEqualTo("application/octet-stream");
        var list = bench.sent(name, "sendList", null, json("{'body':[1,2]}"));
        assertThat(list.path("body").asText()).isEqualTo("[1,2]");
        var empty = bench.sent(name, "sendForm", null, Json.object());
        assertThat(empty.path("headers").has("content-type")).isFalse();
    }

    @Test
    void readsEachKindOfResponse() {
        var name = bench.added("18-bodies.yaml", "responses");
        var picture = bench.run(name, "getPicture", null, Json.object());
        assertThat(picture.text("/output/contentType")).isEqualTo("image/png");
        assertThat(picture.text("/output/fileUrl")).startsWith("http");
        assertThat(picture.body().at("/output/bytes").asInt()).isEqualTo(6);
        var pets = bench.added("01-pets-30.yaml", "failures");
        bench.connect("failures", pets, "SECRET_TEXT", Json.object().put("secret_text", "key-12345"));
        var document =
                Documents.text("05-anchors.yaml").replace("/a:", "/fail:").replace("/b:", "/empty:");
        var added = ada.api()
                .post(
                        OPENAPI,
                        Json.object()
                                .put("document", document)
                                .put("name", "special")
                                .put("baseUrl", echo.url("")));
        var failed = bench.run(added.text("/name"), "a", null, json("{'q':'x'}"));
        assertThat(failed.text("/status")).isEqualTo("FAILED");
        assertThat(failed.text("/failure/message")).contains("no such pet");
        assertThat(failed.body().at("/failure").toString()).contains("422").contains("/fail?q=x");
        assertThat(bench.run(added.text("/name"), "b", null, Json.object())
                        .body()
                        .at("/output/status")
                        .asInt())
                .isEqualTo(204);
    }

    @Test
    void collectsPages() {
        assertThat(collected("{'kind':'LINK'}", "byLink", "{'all_pages':true}"))
                .isEqualTo(json("['item 1a','item 1b','item 2a','item 2b','item 3a','item 3b']"));
        var cursor = "{'kind':'CURSOR','parameter':'cursor','itemsPath':'/items','cursorPath':'/next'}";
        assertThat(collected(cursor, "byCursor", "{'all_pages':true,'max_items':5}"))
                .isEqualTo(json("['item 1a','item 1b','item 2a','item 2b','item 3a']"));
        var page = "{'kind':'PAGE','parameter':'page','itemsPath':'/items'}";
        assertThat(collected(page, "byCursor", "{'all_pages':true}").size()).isEqualTo(6);
        assertThat(collected(cursor, "byCursor", "{}").path("next").asInt()).isEqualTo(2);
    }

    private static JsonNode collected(String pagination, String action, String input) {
        var body = Json.object()
                .put("document", Documents.text("26-lists.yaml"))
                .put("name", "lists")
                .put("baseUrl", echo.url(""));
        body.set("pagination", json(pagination));
        var added = ada.api().post(OPENAPI, body);
        assertThat(added.status()).as(added.toString()).isLessThan(300);
        var answer = bench.run(added.text("/name"), action, null, json(input));
        assertThat(answer.text("/status")).as(answer.toString()).isEqualTo("SUCCEEDED");
        return answer.body().path("output");
    }
}
