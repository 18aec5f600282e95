package io.millrace.piece.builtin.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.input.PropertyProcessor;
import io.millrace.support.piece.FakeStepContext;
import io.millrace.support.piece.FakeTriggerContext;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookPieceTest {
    @ParameterizedTest(name = "{0} with {1} -> {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                                   | {}                                      | true
            {'authType':'none'}                  | {}                                      | true
            {'authType':'other'}                 | {}                                      | false
            {'authType':'basic','authFields':{'username':'u','password':'p:q'}} | {'authorization':'Basic dTpwOnE='} | true
            {'authType':'basic','authFields':{'username':'u','password':'p:q'}} | {'authorization':'basic dTpwOnE='} | true
            {'authType':'basic','authFields':{'username':'u','password':'p'}}   | {'authorization':'Basic dTpwOnE='} | false
            {'authType':'basic','authFields':{'username':'u','password':'ü'}}   | {'authorization':'Basic dTrDvA=='} | true
            {'authType':'basic','authFields':{'username':'u','password':'ü'}}   | {'authorization':'Basic dTr8'}     | true
            {'authType':'basic','authFields':{'username':'u','password':'u'}}   | {'authorization':'Basic dTr8'}     | false
            {'authType':'basic','authFields':{'username':'u','password':'p'}}   | {'authorization':'Bearer dTpw'}    | false
            {'authType':'basic','authFields':{'username':'u','password':'p'}}   | {'authorization':'Basic %%%'}      | false
            {'authType':'basic','authFields':{'username':'u','password':'p'}}   | {}                                 | false
            {'authType':'basic'}                                                | {'authorization':'Basic Og=='}     | false
            {'authType':'header','authFields':{'headerName':'X-Key','headerValue':'s'}} | {'x-key':'s'}   | true
            {'authType':'header','authFields':{'headerName':'X-Key','headerValue':'s'}} | {'x-key':'S'}   | false
            {'authType':'header','authFields':{'headerName':'X-Key','headerValue':'s'}} | {}              | false
            {'authType':'header'}                                               | {'x-key':'s'}           | false
            """)
    void startsARun_onlyWithTheRightCredentials(String props, String headers, boolean allowed) {
        var payload = Json.object().put("method", "POST");
        payload.set("headers", json(headers));

        var items = new CatchWebhook().run(FakeTriggerContext.with(json(props), payload));

        assertThat(items.result()).hasSize(allowed ? 1 : 0).allMatch(payload::equals);
    }

    @Test
    void answersWithJsonAndStops_byDefault() {
        var context = FakeStepContext.with("{'fields':{'body':{'a':1}}}");

        var output = new ReturnResponse().run(context);

        assertThat(output.result()).isEqualTo(json("{'status':200,'headers':{},'body':{'a':1}}"));
        assertThat(context.stoppedWith.status()).isEqualTo(200);
        assertThat(context.stoppedWith.body()).isEqualTo(json("{'a':1}"));
        assertThat(context.respondedWith).isNull();
    }

    @Test
    void parsesABodyThatIsJsonText_andContinues() {
        var context = FakeStepContext.with("{'responseType':'json','respond':'respond','fields':{'status':201,"
                + "'headers':{'X-A':5,'X-B':null},'body':'[1]'}}");

        var output = new ReturnResponse().run(context);

        assertThat(output.result()).isEqualTo(json("{'status':201,'headers':{'X-A':5,'X-B':null},'body':[1]}"));
        assertThat(context.respondedWith.headers()).isEqualTo(Map.of("X-A", "5"));
        assertThat(context.stoppedWith).isNull();
    }

    @Test
    void sendsARawBodyAsItIs() {
        var context = FakeStepContext.with("{'responseType':'raw','fields':{'body':'{not json'}}");

        new ReturnResponse().run(context);

        assertThat(context.stoppedWith.body().asText()).isEqualTo("{not json");
    }

    @ParameterizedTest
    @CsvSource({"raw", "file"})
    void sendsTheBytesOfADataUri(String type) {
        var context = FakeStepContext.with(
                "{'responseType':'" + type + "','fields':{'status':201,'body':'data:application/pdf;base64,AP8='}}");

        var output = new ReturnResponse().run(context).result();

        assertThat(context.stoppedWith.bytes()).containsExactly(0, 0xff);
        assertThat(context.stoppedWith.isFile()).isTrue();
        assertThat(context.stoppedWith.headers()).containsExactly(Map.entry("Content-Type", "application/pdf"));
        assertThat(output)
                .isEqualTo(json("{'status':201,'headers':{'Content-Type':'application/pdf'},"
                        + "'body':{'contentType':'application/pdf','bytes':2}}"));
    }

    @Test
    void keepsTheContentTypeThatTheAuthorGaveToAFile() {
        var context = FakeStepContext.with("{'responseType':'file','fields':{'headers':{'content-type':'image/x'},"
                + "'body':'data:image/png;base64,AA=='}}");

        new ReturnResponse().run(context);

        assertThat(context.stoppedWith.headers()).containsExactly(Map.entry("content-type", "image/x"));
    }

    @ParameterizedTest
    @CsvSource({"5", "-1.5", "true", "null", "'5'", "'null'", "'false'"})
    void answersWithBareValues(String body) {
        var processor = PropertyProcessor.compile(new ReturnResponse().spec().props());
        var saved = PropertyProcessor.compile(
                new ReturnResponse().spec().props(),
                json("{'fields':{'schema':{'body':{'type':'JSON','displayName':'JSON Body','required':true}}}}"));
        for (var one : List.of(processor, saved)) {
            var context = FakeStepContext.with(
                    Json.text(one.apply(json("{'responseType':'json','fields':{'body':" + body + "}}"))));

            new ReturnResponse().run(context);

            assertThat(context.stoppedWith.body()).hasToString(body.replace("'", ""));
        }
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({
        "example.com/a, https://example.com/a",
        "http://example.com, http://example.com",
        "HTTPS://example.com, HTTPS://example.com",
    })
    void redirects_withASchemeInFrontWhereItIsMissing(String url, String location) {
        var context = FakeStepContext.with("{'responseType':'redirect','fields':{'body':'" + url + "'}}");

        var output = new ReturnResponse().run(context).result();

        assertThat(output.path("body").asText()).isEqualTo(url);
        assertThat(context.stoppedWith.status()).isEqualTo(301);
        assertThat(context.stoppedWith.headers()).containsExactly(Map.entry("Location", location));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'fields':{'body':'{broken'}}
            {'fields':{'status':99,'body':{}}}
            {'fields':{'status':101,'body':{}}}
            {'fields':{'status':200.5,'body':{}}}
            {'fields':{'headers':{'X A':'1'},'body':{}}}
            {'fields':{'headers':{'X-A':'1\\nY: 2'},'body':{}}}
            {'responseType':'redirect','fields':{}}
            {'responseType':'redirect','fields':{'body':' '}}
            {'responseType':'redirect','fields':{'body':null}}
            {'fields':{'status':302,'headers':{'Location':null},'body':{}}}
            {'responseType':'raw','fields':{'status':303,'headers':{'LOCATION':null},'body':''}}
            {'responseType':'raw','fields':{'status':302,'headers':{'Location':''},'body':''}}
            {'fields':{'status':302,'headers':{'location':'  '},'body':{}}}
            {'responseType':'file','fields':{'body':'no file'}}
            {'responseType':'file','fields':{}}
            """)
    void fails_whenTheResponseCannotBeSent(String props) {
        var context = FakeStepContext.with(props);

        var output = new ReturnResponse().run(context);

        assertThat(output.cause()).isInstanceOf(PieceFailure.class);
        assertThat(context.stoppedWith).isNull();
    }

    @Test
    void preparesTheFieldsByTheTypeOfTheResponse() {
        var processor = PropertyProcessor.compile(new ReturnResponse().spec().props());

        var json = processor.apply(json("{'responseType':'json','fields':{'status':'201','body':'[1]'}}"));
        var raw = processor.apply(json("{'responseType':'raw','fields':{'body':{'a':1}}}"));

        assertThat(json.path("fields")).isEqualTo(json("{'status':201,'body':[1]}"));
        assertThat(raw.path("fields").path("body").asText()).isEqualTo("{\"a\":1}");
    }

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.trusted(text.replace('\'', '"'));
    }
}
