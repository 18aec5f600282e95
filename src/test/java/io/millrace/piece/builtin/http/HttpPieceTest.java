package io.millrace.piece.builtin.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.LocalServer;
import io.millrace.piece.property.PropertyType;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpPieceTest extends HttpPieceCalls {
    @Test
    void declaresItsInputsAndVersions() {
        var spec = piece.spec();
        var props = piece.actions().get("send_request").spec().props();

        assertThat(spec.name()).isEqualTo("@activepieces/piece-http");
        assertThat(spec.versions()).startsWith("0.11.19", "0.11.18").endsWith("0.11.0");
        assertThat(piece.triggers()).isEmpty();
        assertThat(props.keySet())
                .containsExactly(
                        "method",
                        "url",
                        "headers",
                        "queryParams",
                        "authType",
                        "authFields",
                        "body_type",
                        "body",
                        "response_is_binary",
                        "response_is_text",
                        "response_to_file",
                        "use_proxy",
                        "proxy_settings",
                        "timeout",
                        "followRedirects",
                        "failureMode",
                        "sendIdempotencyKey");
        assertThat(props.get("failureMode").defaultValue().asText()).isEqualTo("continue_none");
        var basic = props.get("authFields").children().apply(Json.object().put("authType", "BASIC"));
        assertThat(basic.keySet()).containsExactly("username", "password");
        var form = props.get("body").children().apply(Json.object().put("body_type", "form_data"));
        assertThat(form.get("data").type()).isEqualTo(PropertyType.ARRAY);
        var proxy = props.get("proxy_settings").children().apply(Json.object().put("use_proxy", true));
        assertThat(proxy).hasSize(4);
    }

    @Test
    void sendsQueryHeadersAndAuthorization_andParsesJson() {
        var server = echo();
        var step = HttpStep.calling("get", server.url("/a?x=1"))
                .withJson("queryParams", "{'q':'a b&c','n':2,'none':null,'list':['a','b']}")
                .withJson("headers", "{'X-One':'1','':'','X-Number':7}")
                .with("authType", "BASIC")
                .withJson("authFields", "{'username':'me','password':'pä'}");

        var output = run(step);

        assertThat(server.asked()).containsExactly("GET /a?x=1&q=a+b%26c&n=2&list=a%2Cb");
        assertThat(output.path("status").asInt()).isEqualTo(200);
        assertThat(output.path("headers").path("content-type").asText()).isEqualTo("application/json");
        var headers = output.path("body").path("headers");
        assertThat(headers.path("x-one").asText()).isEqualTo("1");
        assertThat(headers.path("x-number").asText()).isEqualTo("7");
        assertThat(headers.path("authorization").asText()).isEqualTo("Basic bWU6cMOk");
        assertThat(headers.has("content-type")).isFalse();
    }

    @Test
    void sendsABearerToken_unlessAHeaderSaysOtherwise() {
        var server = echo();
        var step = HttpStep.calling("GET", server.url("/"))
                .with("authType", "BEARER_TOKEN")
                .withJson("authFields", "{'token':'t0'}");

        assertThat(sentHeader(run(step), "authorization")).isEqualTo("Bearer t0");
        assertThat(sentHeader(run(step.withJson("headers", "{'authorization':'Own'}")), "authorization"))
                .isEqualTo("Own");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "json | {'a':[1,null]} | application/json | {'a':[1,null]}",
                "json | '{\\'a\\':1}' | application/json | {'a':1}",
                "json | 'plain' | application/json | 'plain'",
                "json | 12 | application/json | 12",
                "raw | '<x/>' | application/json | <x/>",
                "raw | {'a':1} | application/json | {'a':1}"
            })
    void sendsTheBody(String type, String data, String contentType, String sent) {
        var server = echo();
        var step = HttpStep.calling("POST", server.url("/")).withBody(type, data.replace("\\'", "\\\""));

        var output = run(step);

        assertThat(sentHeader(output, "content-type")).isEqualTo(contentType);
        assertThat(output.path("body").path("body").asText()).isEqualTo(sent.replace('\'', '"'));
    }

    @Test
    void keepsTheContentTypeThatTheAuthorGave() {
        var step = HttpStep.calling("POST", echo().url("/"))
                .withBody("raw", "'a,b'")
                .withJson("headers", "{'content-type':'text/csv'}");

        assertThat(sentHeader(run(step), "content-type")).isEqualTo("text/csv");
    }

    @Test
    void sendsNoBody_whenTheTypeIsNone() {
        var step = HttpStep.calling("POST", echo().url("/")).withBody("none", "'left over'");

        var output = run(step);

        assertThat(output.path("body").path("body").asText()).isEmpty();
        assertThat(sentHeader(output, "content-length")).isEqualTo("0");
    }

    @Test
    void sendsAMultipartForm_withTextsAndFiles() {
        var server = LocalServer.start(vertx, request -> {
            request.setExpectMultipart(true);
            var files = Json.object();
            request.uploadHandler(upload -> upload.handler(data ->
                    files.put(upload.name() + " " + upload.filename() + " " + upload.contentType(), data.toString())));
            request.end().onSuccess(_ -> {
                request.formAttributes().forEach(entry -> files.put(entry.getKey(), entry.getValue()));
                request.response().putHeader("Content-Type", "application/json").end(Buffer.buffer(Json.bytes(files)));
            });
        });
        var step = HttpStep.calling("POST", server.url("/")).withBody("form_data", """
                [{'fieldName':'text','fieldType':'text','textFieldValue':'hé\\r\\nllo'},
                 {'fieldName':'doc','fieldType':'file',
                  'fileFieldValue':{'filename':'a.txt','extension':'txt','base64':'ZmlsZQ=='}}]""");

        var output = run(step);

        assertThat(output.path("body").path("text").asText()).isEqualTo("hé\r\nllo");
        assertThat(output.path("body").path("doc a.txt text/plain").asText()).isEqualTo("file");
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '~', textBlock = """
        \\r\\n,%0D%0A
        \\n,%0A
        \\r,%0D
        \\u0000,%00
        \\u000b,%0B
        \\u007f,%7F
        \\u0085,%C2%85
        \\u2028,%E2%80%A8
        """)
    void letsNoNameInAFormBecomeAHeader(String end, String encoded) {
        var name = "a\\\"" + end + "X-Injected: 1";
        var step = HttpStep.calling("POST", echo().url("/"))
                .withBody(
                        "form_data",
                        "[{'fieldName':'" + name + "','fieldType':'text','textFieldValue':'v'},{'fieldName':'f',"
                                + "'fieldType':'file','fileFieldValue':{'filename':'" + name
                                + "','extension':'txt','base64':'ZmlsZQ=='}}]");

        var sent = run(step).path("body").path("body").asText();

        assertThat(sent)
                .contains("name=\"a%22" + encoded + "X-Injected: 1\"", "filename=\"a%22" + encoded + "X-Injected: 1\"");
    }

    @Test
    void sendsAUrlEncodedForm_whenTheAuthorAsksForIt() {
        var headers = "{'Content-Type':'application/x-www-form-urlencoded'}";
        var form = HttpStep.calling("POST", echo().url("/"))
                .withJson("headers", headers)
                .withBody("form_data", "{'a':'1 2','b':true}");
        var json = HttpStep.calling("POST", echo().url("/"))
                .withJson("headers", headers)
                .withBody("json", "{'a':{'b':[1,2]},'c':null}");

        assertThat(run(form).path("body").path("body").asText()).isEqualTo("a=1+2&b=true");
        assertThat(run(json).path("body").path("body").asText()).isEqualTo("a%5Bb%5D%5B%5D=1&a%5Bb%5D%5B%5D=2");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {'items':[{'price':'p1','quantity':2},{'price':'p2'}],'none':null} | items[0][price]=p1&items[0][quantity]=2&items[1][price]=p2
                    {'a':[1,null,true]}                                                | a[]=1&a[]=true
                    {'a':[1,{'b':2}]}                                                  | a[0]=1&a[1][b]=2
                    {'a':[[1,2],[3]]}                                                  | a[0][]=1&a[0][]=2&a[1][]=3
                    {'a':{'b':{'c':[{'d':null,'e':''}]}}}                              | a[b][c][0][e]=
                    {'a':[],'b':{},'c':''}                                             | c=
                    [{'a':1},{'b':[2,3]}]                                              | 0[a]=1&1[b][]=2&1[b][]=3
                    ['x','y']                                                          | 0=x&1=y
                    {'a b':{'c&d':'e=f&g'}}                                            | a b[c&d]=e=f&g
                    {'u':'ü €','p':'1+1=100%'}                                         | u=ü €&p=1+1=100%
                    {'a':{'0':'x','1':'y'}}                                            | a[0]=x&a[1]=y
                    {'a':[{'b':[{'c':1},{'c':2}]}]}                                    | a[0][b][0][c]=1&a[0][b][1][c]=2
                    {'a':[{},{'b':1}]}                                                 | a[1][b]=1
                    {'id':12345678901234567890,'ok':false}                             | id=12345678901234567890&ok=false
                    {'price':12345678.9,'rate':0.00001,'whole':10000000.0}             | price=12345678.9&rate=0.00001&whole=10000000
                    {'a':[12345678.9,{'b':1.50}]}                                      | a[0]=12345678.9&a[1][b]=1.5
                    {'a':[12345678.9,-0.0001]}                                         | a[]=12345678.9&a[]=-0.0001
                    """)
    void spellsNestedValuesOfAUrlEncodedForm(String json, String form) {
        var step = HttpStep.calling("POST", echo().url("/"))
                .withJson("headers", "{'Content-Type':'application/x-www-form-urlencoded'}")
                .withBody("json", json);

        var sent = run(step).path("body").path("body").asText();

        assertThat(URLDecoder.decode(sent, StandardCharsets.UTF_8)).isEqualTo(form);
    }

    @ParameterizedTest
    @CsvSource({"application/x-www-form-urlencoded,price=12345678.9&rate=0.00001", "application/json,12345678.9"})
    void writesNumbersAsJavaScriptDoes(String contentType, String sent) {
        var server = echo();
        var step = HttpStep.calling("POST", server.url("/"))
                .withJson("headers", "{'Content-Type':'" + contentType + "','X-Sum':12345678.9}")
                .withJson("queryParams", "{'q':12345678.9,'list':[12345678.9,9007199254740993]}")
                .withBody("form_data", "{'price':12345678.9,'rate':0.00001}");

        var seen = run(step);

        assertThat(seen.path("body").path("body").asText()).contains(sent);
        assertThat(sentHeader(seen, "x-sum")).isEqualTo("12345678.9");
        assertThat(server.asked()).containsExactly("POST /?q=12345678.9&list=12345678.9%2C9007199254740993");
    }

    @Test
    void sendsTheTextOfAUrlEncodedForm_asItsAuthorWroteIt() {
        var step = HttpStep.calling("POST", echo().url("/"))
                .withJson("headers", "{'Content-Type':'application/x-www-form-urlencoded'}")
                .withBody("json", "'a=1&b%5B%5D=2'");

        assertThat(run(step).path("body").path("body").asText()).isEqualTo("a=1&b%5B%5D=2");
    }

    @ParameterizedTest
    @CsvSource({"raw,image/png", "file,image/png", "raw,application/x-own", "file,text/plain"})
    void sendsTheBytesOfADataUri(String bodyType, String contentType) {
        var uri = "'data:image/png;base64,AGFi'";
        var step = HttpStep.calling("PUT", echo().url("/")).withBody(bodyType, uri);
        if (!contentType.equals("image/png")) {
            step.withJson("headers", "{'content-type':'" + contentType + "'}");
        }

        var seen = run(step);

        assertThat(seen.at("/body/body").asText()).isEqualTo("\0ab");
        assertThat(sentHeader(seen, "content-type")).isEqualTo(contentType);
    }

    @Test
    void sendsADataUriAsText_whenItsAuthorCallsItText() {
        var step = HttpStep.calling("POST", echo().url("/"))
                .withJson("headers", "{'Content-Type':'text/plain'}")
                .withBody("raw", "'data:image/png;base64,AGFi'");

        assertThat(run(step).at("/body/body").asText()).isEqualTo("data:image/png;base64,AGFi");
    }

    @Test
    void readsTextInTheCharsetThatItDeclares() {
        var xml = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><n>Müller</n>";
        var server = answering(200, "application/xml", Buffer.buffer(xml.getBytes(StandardCharsets.ISO_8859_1)));

        assertThat(run(HttpStep.calling("GET", server.url("/"))).path("body").asText())
                .isEqualTo(xml);
    }

    @Test
    void keepsABodyThatIsNoTextAsAFile() {
        var bytes = Buffer.buffer(new byte[] {'a', (byte) 0xff, 0, (byte) 0xfe});
        for (var option : List.of("followRedirects", "response_is_text")) {
            var step = HttpStep.calling("GET", answering(200, "text/csv", bytes).url("/"))
                    .with(option, true);

            var output = run(step);

            assertThat(output.at("/body/fileUrl").asText()).isEqualTo("https://files.example/unknown.csv");
            assertThat(output.at("/body/reason").asText()).contains("kept as a file");
            assertThat(step.written).containsEntry("unknown.csv", bytes);
        }
        var refused = HttpStep.calling("GET", answering(400, "image/png", bytes).url("/"))
                .with("failureMode", "continue_all");
        assertThat(run(refused).at("/response/body").asText()).isEqualTo("data:image/png;base64,Yf8A/g==");
    }

    @ParameterizedTest
    @ValueSource(strings = {"br", "compress", "gzip, br", "x-unknown"})
    void keepsABodyInAnUnknownEncodingAsAFile_evenIfItsBytesAreLetters(String encoding) {
        var bytes = Buffer.buffer("packed");
        var server = LocalServer.start(
                vertx,
                request -> request.response()
                        .putHeader("Content-Type", "text/plain; charset=iso-8859-1")
                        .putHeader("Content-Encoding", encoding)
                        .end(bytes));
        var step = HttpStep.calling("GET", server.url("/"));

        var output = run(step);

        assertThat(output.at("/body/reason").asText()).contains("found " + encoding, "kept as a file");
        assertThat(output.at("/headers/content-encoding").asText()).isEqualTo(encoding);
        assertThat(step.written.values()).containsExactly(bytes);
    }

    @Test
    void readsAnEmptyBody_withAnyEncoding() {
        var server = LocalServer.start(
                vertx,
                request -> request.response()
                        .putHeader("Content-Encoding", "br")
                        .setStatusCode(204)
                        .end());
        var step = HttpStep.calling("GET", server.url("/"));

        assertThat(run(step).path("body").asText("none")).isEmpty();
        assertThat(step.written).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "text/plain; charset=utf-8",
                "text/html",
                "application/octet-stream",
                "text/javascript"
            })
    void parsesJson_withAnyContentType(String contentType) {
        var server = answering(200, contentType, Buffer.buffer("\uFEFF {\"a\": [1, null]}\n"));
        var number = answering(200, contentType, Buffer.buffer("12"));
        var refused = answering(400, contentType, Buffer.buffer("{\"message\": \"no such order\"}"));

        assertThat(run(HttpStep.calling("GET", server.url("/"))).path("body")).hasToString("{\"a\":[1,null]}");
        assertThat(run(HttpStep.calling("GET", number.url("/"))).path("body")).hasToString("12");
        assertThat(run(HttpStep.calling("GET", refused.url("/")).with("failureMode", "continue_all"))
                        .at("/response/body/message")
                        .asText())
                .isEqualTo("no such order");
    }

    @Test
    void keepsJsonAsText_whenTheAuthorAsksForIt() {
        var server = answering(200, "application/json", Buffer.buffer("{\"a\": 1}"));

        var output = run(HttpStep.calling("GET", server.url("/")).with("response_is_text", true));

        assertThat(output.path("body").asText()).isEqualTo("{\"a\": 1}");
    }

    @Test
    void answersText_whenTheBodyIsNoJson() {
        var text = answering(200, "text/plain; charset=ISO-8859-1", Buffer.buffer(new byte[] {(byte) 0xe9}));
        var broken = answering(200, "application/json", Buffer.buffer("{"));
        var empty = answering(204, "application/problem+json", Buffer.buffer());

        assertThat(run(HttpStep.calling("GET", text.url("/"))).path("body").asText())
                .isEqualTo("é");
        assertThat(run(HttpStep.calling("GET", broken.url("/"))).path("body").asText())
                .isEqualTo("{");
        assertThat(run(HttpStep.calling("GET", empty.url("/"))).path("body").asText())
                .isEmpty();
    }

    @Test
    void answersBase64_whenTheResponseIsBinary() {
        var server = answering(200, "image/png", Buffer.buffer(new byte[] {0, (byte) 0xff}));

        var output = run(HttpStep.calling("GET", server.url("/")).with("response_is_binary", true));

        assertThat(output.path("body").asText()).isEqualTo("AP8=");
    }

    @Test
    void writesTheBodyToAFile() {
        var server = answering(200, "application/pdf", Buffer.buffer("pdf"));
        var step = HttpStep.calling("GET", server.url("/a/report%20one.pdf?x")).with("response_to_file", true);

        var output = run(step);

        assertThat(step.files).containsExactly("report one.pdf");
        assertThat(step.written).containsEntry("report one.pdf", Buffer.buffer("pdf"));
        assertThat(output.path("file").asText()).isEqualTo("https://files.example/report one.pdf");
        assertThat(output.has("body")).isFalse();
        assertThat(output.path("status").asInt()).isEqualTo(200);
    }

    @Test
    void followsRedirectsOnlyWhenAsked() {
        var server = LocalServer.start(vertx, request -> {
            if (request.path().equals("/end")) {
                request.response().end("end");
            } else {
                request.response()
                        .setStatusCode(302)
                        .putHeader("Location", "/end")
                        .end();
            }
        });

        var stayed = run(HttpStep.calling("GET", server.url("/")));
        var followed = run(HttpStep.calling("GET", server.url("/")).with("followRedirects", true));

        assertThat(stayed.path("status").asInt()).isEqualTo(302);
        assertThat(followed.path("body").asText()).isEqualTo("end");
    }

    @Test
    void sendsTheIdempotencyKey_withUnsafeMethodsAndWhenAsked() {
        var server = echo();

        assertThat(sentHeader(run(keyed("POST", server)), "idempotency-key")).isEqualTo(HttpStep.KEY);
        assertThat(sentHeader(run(keyed("GET", server)), "idempotency-key")).isEmpty();
        assertThat(sentHeader(run(HttpStep.calling("POST", server.url("/"))), "idempotency-key"))
                .isEmpty();
        assertThat(sentHeader(
                        run(keyed("POST", server).withJson("headers", "{'Idempotency-Key':'own'}")), "idempotency-key"))
                .isEqualTo("own");
    }

    @Test
    void goesThroughTheProxy() {
        var proxy = echo();
        var settings = "{'proxy_host':'127.0.0.1','proxy_port':" + proxy.port()
                + ",'proxy_username':'u','proxy_password':'p'}";
        var step = HttpStep.calling("GET", "http://93.184.216.34/x")
                .with("use_proxy", true)
                .withJson("proxy_settings", settings);

        var output = run(step);

        assertThat(proxy.asked()).containsExactly("GET http://93.184.216.34/x");
        assertThat(sentHeader(output, "proxy-authorization")).isEqualTo("Basic dTpw");
    }

    private HttpStep keyed(String method, LocalServer server) {
        return HttpStep.calling(method, server.url("/")).with("sendIdempotencyKey", true);
    }

    private LocalServer echo() {
        return LocalServer.start(vertx, HttpPieceTest::echo);
    }

    private static void echo(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            var seen = Json.object().put("body", body.toString());
            var headers = seen.putObject("headers");
            request.headers()
                    .forEach(entry -> headers.put(entry.getKey().toLowerCase(java.util.Locale.ROOT), entry.getValue()));
            request.response().putHeader("Content-Type", "application/json").end(Buffer.buffer(Json.bytes(seen)));
        });
    }

    private static String sentHeader(JsonNode output, String name) {
        return output.path("body").path("headers").path(name).asText();
    }
}
