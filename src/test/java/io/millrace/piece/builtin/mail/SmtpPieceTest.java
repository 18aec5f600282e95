package io.millrace.piece.builtin.mail;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BinaryNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.mail.SmtpClient;
import io.millrace.account.mail.SmtpServer.Encryption;
import io.millrace.base.core.Json;
import io.millrace.base.net.AddressGuard;
import io.millrace.base.net.HostGuard;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.PieceMetadata;
import io.millrace.support.outside.MailServer;
import io.millrace.support.piece.FakeStepContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SmtpPieceTest {
    private static Vertx vertx;
    private static MailServer server;
    private static Piece piece;

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        server = MailServer.start();
        piece = smtp("127.0.0.1");
    }

    @AfterAll
    static void stop() {
        server.close();
        await(vertx.close());
    }

    private static Piece smtp(String allowed) {
        return new SmtpPiece(
                new SmtpClient(vertx, new HostGuard(vertx, AddressGuard.allowing(allowed)), InstantSource.system()));
    }

    @Test
    void describesItsCredentials() {
        var auth = PieceMetadata.full(piece, "0.4.0").path("auth");

        assertThat(auth.path("type").asText()).isEqualTo("CUSTOM_AUTH");
        assertThat(auth.path("props").fieldNames())
                .toIterable()
                .containsExactly("host", "email", "password", "port", "TLS");
        assertThat(auth.at("/props/password/type").asText()).isEqualTo("SECRET_TEXT");
    }

    @Test
    void sendsAMail() {
        // Given
        var input = json("{'from':'flows@acme.example','senderName':'Ada','to':['a@example.com, b@example.com'],"
                + "'cc':['c@example.com'],'bcc':[],'replyTo':'answers@acme.example','subject':'Hi','body_type':'html',"
                + "'body':'<b>x</b>','customHeaders':{'X-Flow':7},'attachments':[{'name':'own.csv'}]}");
        var file = Json.object().put("filename", "data.csv").put("extension", "csv");
        file.set("data", BinaryNode.valueOf("1;2".getBytes(StandardCharsets.UTF_8)));
        ((ObjectNode) input.at("/attachments/0")).set("file", file);

        // When
        var output = await(run(piece, input, MailServer.PASSWORD));
        var again = await(run(piece, input, MailServer.PASSWORD));

        // Then
        assertThat(output.path("accepted")).isEqualTo(json("['a@example.com','b@example.com','c@example.com']"));
        assertThat(output.path("rejected")).isEmpty();
        assertThat(output.at("/envelope/from").asText()).isEqualTo("flows@acme.example");
        assertThat(output.path("messageId").asText())
                .isEqualTo(again.path("messageId").asText())
                .endsWith("@acme.example>");
        var taken = server.awaitFor("a@example.com", 1).getFirst();
        assertThat(taken.subject()).isEqualTo("Hi");
        assertThat(taken.part("text/html")).contains("<b>x</b>");
        assertThat(taken.header("From")).contains("Ada");
        assertThat(taken.header("Reply-To")).isEqualTo("answers@acme.example");
        assertThat(taken.header("X-Flow")).isEqualTo("7");
        assertThat(taken.header("Message-ID"))
                .isEqualTo(output.path("messageId").asText());
        assertThat(taken.raw()).contains("own.csv");
    }

    @Test
    void refusesAWrongPassword_andShowsItNowhere() {
        var failure = failure(run(piece, mail("'to':['a@example.com']"), "wr0ng secret"));

        assertThat(failure).isInstanceOf(PieceFailure.class);
        assertThat(((PieceFailure) failure).details().path("errorName").asText())
                .isEqualTo("EAUTH");
        assertThat(failure.getMessage()).doesNotContain("wr0ng");
    }

    @Test
    void triesThreeTimes_whenTheServerIsNotThere() {
        var context = context(mail("'to':['a@example.com']"), 1, "x");

        var failure = failure(piece.actions().get("send-email").run(context));

        assertThat(((PieceFailure) failure).details().path("errorName").asText())
                .isEqualTo("ECONNECTION");
        assertThat(context.sleeps).containsExactly(1_000L, 2_000L);
    }

    @Test
    void goesToNoPrivateAddress() {
        var guarded = smtp("");

        var failure = failure(run(guarded, mail("'to':['a@example.com']"), MailServer.PASSWORD));
        var checked = await(guarded.validate(account(server.port(), "x")));

        assertThat(((PieceFailure) failure).details().path("errorName").asText())
                .isEqualTo("SSRFBlockedError");
        assertThat(checked).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'to':[]",
                "'to':['no address']",
                "'to':['a@example.com'],'subject':'a\\nBcc: x@example.com'",
                "'to':['a@example.com'],'customHeaders':{'Bcc':'x@example.com'}",
                "'to':['a@example.com'],'customHeaders':{'X-A':'1\\r\\nBcc: x@example.com'}",
                "'to':['a@example.com'],'body_type':'rtf'",
                "'to':['a@example.com'],'attachments':[{'name':'x'}]",
                "'to':['a@example.com'],'from':'a@b@c'"
            })
    void refusesAnInvalidMail(String more) {
        var before = server.taken().size();

        assertThat(failure(run(piece, mail(more), MailServer.PASSWORD))).isInstanceOf(PieceFailure.class);
        assertThat(server.taken()).hasSize(before);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            'to':[{'email':'a@example.com'}]                     | to: expected e-mail addresses as texts, found an object
            'to':['a@example.com',7]                             | to: expected e-mail addresses as texts, found 7
            'to':['a@example.com'],'cc':{'a':'b'}                | cc: expected e-mail addresses as texts, found an object
            'to':['a@example.com'],'bcc':'Berg, A <b@x.org>'     | bcc: expected an e-mail address, found Berg
            'to':['a@example.com'],'from':'Ada'                  | from: expected an e-mail address, found Ada
            'to':['a@example.com'],'replyTo':'a@x.org, b@x.org'  | replyTo: expected an e-mail address, found a@x.org, b@x.org
            """)
    void namesTheFieldThatIsNoAddress(String more, String message) {
        assertThat(failure(run(piece, mail(more), MailServer.PASSWORD)))
                .isInstanceOf(PieceFailure.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void sendsToEveryAddressOfNestedLists() {
        var input = mail("'to':[['l1@example.com','\\u0022L, Two\\u0022 <l2@example.com>; l3@example.com'],null,'']");

        var output = await(run(piece, input, MailServer.PASSWORD));

        assertThat(output.path("accepted")).isEqualTo(json("['l1@example.com','l2@example.com','l3@example.com']"));
    }

    /** Every text of a mail with every kind of line end: rejected, or sent as text of its line. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "'to':['z@example.com'],'subject':'@@'",
                "'to':['z@example.com'],'from':'flows@acme.example@@'",
                "'to':['z@example.com'],'from':'@@ <flows@acme.example>'",
                "'to':['z@example.com'],'senderName':'@@'",
                "'to':['z@example.com@@']",
                "'to':['@@ <z@example.com>']",
                "'to':['z@example.com'],'cc':['@@ <c@example.com>']",
                "'to':['z@example.com'],'bcc':['b@example.com@@']",
                "'to':['z@example.com'],'replyTo':'@@ <r@example.com>'",
                "'to':['z@example.com'],'customHeaders':{'X-A':'@@'}",
                "'to':['z@example.com'],'customHeaders':{'X-@@':'1'}",
                "'to':['z@example.com'],'customHeaders':{'Message-ID':'<1@x>@@'}",
                "'to':['z@example.com'],'attachments':[{'name':'@@','file':{'filename':'a.txt','data':'eA=='}}]",
                "'to':['z@example.com'],'attachments':[{'file':{'filename':'a.@@','data':'eA=='}}]"
            })
    void sendsNoHeaderOfAPayload(String more) {
        for (var payload : new String[] {
            "a\\r\\nInjected: 1",
            "a\\nInjected: 1",
            "a\\rInjected: 1",
            "a\\r\\n\\r\\nInjected: 1",
            "a\\r\\n.\\r\\nMAIL FROM:<x@example.com>",
            "a\\u0000b",
            "a\\u000bInjected: 1",
            "a\\u007fb",
            "a\\u0085Injected: 1",
            "a\\u2028Injected: 1",
            "a\\u560d\\u560aInjected: 1",
            "=?UTF-8?B?YQ0KSW5qZWN0ZWQ6IDE=?=",
            "=?UTF-8?Q?a=0D=0AInjected:_1?="
        }) {
            var before = server.taken().size();
            var sent = run(piece, mail(more.replace("@@", payload)), MailServer.PASSWORD);
            var failure = sent.map(_ -> (Throwable) null).otherwise(refusal -> refusal);
            var taken = server.taken();

            if (await(failure) != null) {
                assertThat(await(failure)).as(more + payload).isInstanceOf(PieceFailure.class);
                assertThat(taken).hasSize(before);
            }
            for (var mail : taken.subList(before, taken.size())) {
                assertThat(mail.raw().lines().map(String::strip))
                        .as(more + payload)
                        .noneMatch(line -> line.startsWith("Injected") || line.startsWith("MAIL FROM"));
                assertThat(mail.raw().replaceAll("[\r\n\t]", ""))
                        .as(more + payload)
                        .doesNotContainPattern("\\p{Cntrl}");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"465,false,FROM_THE_START", "587,true,UPGRADED", "587,false,IF_OFFERED", "2465,true,FROM_THE_START"})
    void encryptsAsThePortAsks(int port, boolean tls, Encryption expected) {
        var props = Json.object().put("host", "mail.example").put("port", port).put("TLS", tls);

        assertThat(SmtpAccount.server(props).encryption()).isEqualTo(expected);
    }

    @Test
    void refusesCredentialsWithoutAServer() {
        assertThat(await(piece.validate(account(server.port(), "x")))).isEmpty();
        assertThat(await(piece.validate(account(0, "x")))).isPresent();
        assertThat(await(piece.validate((ObjectNode) json("{'type':'CUSTOM_AUTH','props':{'port':25}}"))))
                .isPresent();
    }

    private static JsonNode mail(String more) {
        var mail = (ObjectNode) json("{'from':'flows@acme.example','subject':'s','body':'b'}");
        return mail.setAll((ObjectNode) json("{" + more + "}"));
    }

    private static ObjectNode account(int port, String password) {
        var account = Json.object().put("type", "CUSTOM_AUTH");
        account.putObject("props")
                .put("host", "127.0.0.1")
                .put("port", String.valueOf(port))
                .put("email", MailServer.USER)
                .put("password", password)
                .put("TLS", false);
        return account;
    }

    private static FakeStepContext context(JsonNode input, int port, String password) {
        var props = ((ObjectNode) input).deepCopy();
        props.set("auth", account(port, password));
        return FakeStepContext.with(props);
    }

    private static Future<JsonNode> run(Piece smtp, JsonNode input, String password) {
        return smtp.actions().get("send-email").run(context(input, server.port(), password));
    }

    private static Throwable failure(Future<JsonNode> future) {
        return await(future.transform(done -> Future.succeededFuture(done.cause())));
    }

    private static JsonNode json(String text) {
        return Json.trusted(text.replace('\'', '"'));
    }
}
