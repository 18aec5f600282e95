package io.millrace.account.mail;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.net.AddressGuard;
import io.millrace.base.net.Fence;
import io.millrace.base.net.HostGuard;
import io.millrace.support.Waiting;
import io.millrace.support.outside.MailServer;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.parsetools.RecordParser;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Complete delivery of messages to a real server; no server behavior blocks the client. */
final class SmtpClientTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private static Vertx vertx;
    private static MailServer server;

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        server = MailServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
        await(vertx.close());
    }

    @Test
    void sendsTextHtmlFilesAndOtherLetters() {
        var mail = new Mail(
                new Mailbox("flows@acme.example", Optional.of("Zoë, \"of\" Acme")),
                new Mail.Recipients(
                        List.of(
                                new Mailbox("ada@example.com", Optional.of("Ada <root>")),
                                Mailbox.parse("Ünal <u@example.com>")),
                        List.of(Mailbox.of("cc@example.com")),
                        List.of(Mailbox.of("hidden@example.com"))),
                Optional.of(Mailbox.of("answers@acme.example")),
                "Grüße 🎉 " + "lang ".repeat(30),
                new Mail.Content(
                        Optional.of("a line\n.\nMAIL FROM:<evil@example.com>\nthe end — ✓"),
                        Optional.of("<p>ok ✓</p>")),
                List.of(new Mail.Attachment("Bericht \"ä\".txt", "text/plain", Buffer.buffer("1;2"))),
                Map.of("X-Flow", "naïve"));

        var id = await(client("127.0.0.1").send(plain(server.port()), mail, TIMEOUT, Fence.OPEN));

        var taken = server.awaitFor("ada@example.com", 4);
        assertThat(taken).hasSize(4);
        var message = taken.getFirst();
        assertThat(message.header("Message-ID")).isEqualTo(id);
        assertThat(message.subject()).isEqualTo("Grüße 🎉 " + "lang ".repeat(30));
        assertThat(message.text()).contains("a line\n.\nMAIL FROM:<evil@example.com>\nthe end — ✓");
        assertThat(message.part("text/html")).contains("ok ✓");
        assertThat(message.to()).contains("ada@example.com", "u@example.com").doesNotContain("hidden");
        assertThat(message.header("Bcc")).isNull();
        assertThat(message.header("Reply-To")).isEqualTo("answers@acme.example");
        assertThat(message.raw())
                .contains("filename=\"Bericht \\\"_\\\".txt\"")
                .contains("filename*=UTF-8''Bericht%20");
        assertThat(message.raw().lines()).allMatch(line -> line.length() <= 998);
    }

    @Test
    void encryptsFromTheFirstByte_andRefusesAnUntrustedCertificate() {
        try (var encrypted = MailServer.startEncrypted()) {
            var checking = new SmtpServer(
                    "127.0.0.1", encrypted.port(), SmtpServer.Encryption.FROM_THE_START, login("post haste"), true);
            var trusting = new SmtpServer(
                    "127.0.0.1", encrypted.port(), SmtpServer.Encryption.FROM_THE_START, login("post haste"), false);

            assertThatThrownBy(() ->
                            await(client("127.0.0.1").send(checking, letter("tls@example.com"), TIMEOUT, Fence.OPEN)))
                    .isInstanceOfSatisfying(MailFailure.class, is(MailFailure.Kind.UNREACHABLE));
            await(client("127.0.0.1").send(trusting, letter("tls@example.com"), TIMEOUT, Fence.OPEN));

            assertThat(encrypted.takenFor("tls@example.com")).hasSize(1);
        }
    }

    @Test
    void fails_whenThePasswordIsWrong_orEncryptionIsNotOffered_orThePortIsClosed() {
        var wrong = new SmtpServer("127.0.0.1", server.port(), SmtpServer.Encryption.NEVER, login("wrong"), true);
        var upgraded =
                new SmtpServer("127.0.0.1", server.port(), SmtpServer.Encryption.UPGRADED, Optional.empty(), true);

        assertThatThrownBy(
                        () -> await(client("127.0.0.1").send(wrong, letter("nobody@example.com"), TIMEOUT, Fence.OPEN)))
                .isInstanceOfSatisfying(MailFailure.class, is(MailFailure.Kind.LOGIN_REFUSED))
                .message()
                .doesNotContain("wrong");
        assertThatThrownBy(() ->
                        await(client("127.0.0.1").send(upgraded, letter("nobody@example.com"), TIMEOUT, Fence.OPEN)))
                .isInstanceOfSatisfying(MailFailure.class, is(MailFailure.Kind.UNREACHABLE));
        assertThatThrownBy(() ->
                        await(client("127.0.0.1").send(plain(1), letter("nobody@example.com"), TIMEOUT, Fence.OPEN)))
                .isInstanceOfSatisfying(MailFailure.class, is(MailFailure.Kind.UNREACHABLE));
        assertThat(server.takenFor("nobody@example.com")).isEmpty();
    }

    @Test
    void connectsToNoAddressThatTheGuardRefuses() {
        for (var host : List.of("127.0.0.1", "localhost", "2130706433", "0x7f.1", "169.254.169.254")) {
            var blocked = new SmtpServer(host, server.port(), SmtpServer.Encryption.NEVER, Optional.empty(), true);

            assertThatThrownBy(() -> await(client("").send(blocked, letter("nobody@example.com"), TIMEOUT, Fence.OPEN)))
                    .as(host)
                    .isInstanceOfSatisfying(MailFailure.class, is(MailFailure.Kind.BLOCKED_ADDRESS));
        }
    }

    @Test
    void endsInTime_whenTheServerIsSilent_orNeverEnds() {
        withServer(
                socket -> {},
                port -> assertThatThrownBy(() -> await(client("127.0.0.1")
                                .send(plain(port), letter("nobody@example.com"), Duration.ofMillis(300), Fence.OPEN)))
                        .isInstanceOfSatisfying(MailFailure.class, is(MailFailure.Kind.UNREACHABLE)));
        withServer(
                SmtpClientTest::flood,
                port -> assertThatThrownBy(() -> await(client("127.0.0.1")
                                .send(plain(port), letter("nobody@example.com"), TIMEOUT, Fence.OPEN)))
                        .isInstanceOfSatisfying(MailFailure.class, is(MailFailure.Kind.UNREACHABLE)));
    }

    @Test
    void reportsTheServersRefusal_withItsText() {
        withServer(
                socket -> socket.write("554 go\u0007 away\r\n"),
                port -> assertThatThrownBy(() -> await(client("127.0.0.1")
                                .send(plain(port), letter("nobody@example.com"), TIMEOUT, Fence.OPEN)))
                        .isInstanceOfSatisfying(MailFailure.class, is(MailFailure.Kind.REFUSED))
                        .hasMessageContaining("go away"));
        withServer(
                socket -> socket.write("421 later\r\n"),
                port -> assertThatThrownBy(() -> await(client("127.0.0.1")
                                .send(plain(port), letter("nobody@example.com"), TIMEOUT, Fence.OPEN)))
                        .isInstanceOfSatisfying(MailFailure.class, is(MailFailure.Kind.REFUSED_FOR_NOW)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a@b.c\r\nBcc: x@y.z", "a b@example.com", "a@example.com,b@example.com", "", "a", "a@b>c"})
    void refusesAnAddressThatIsNotOneWord(String address) {
        assertThatThrownBy(() -> Mailbox.of(address)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\r\nBcc: x@example.com", "\n", "\u0000", "\u2028", "\u0085"})
    void refusesCharactersThatEndAHeaderLine(String end) {
        var mail = letter("nobody@example.com");

        assertThatThrownBy(() -> new Mailbox("a@example.com", Optional.of("Ada" + end)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Mail.of(mail.from(), mail.recipients().to().getFirst(), "Hello" + end, "", ""))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> mail.withHeader("X-Flow", "a" + end)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> mail.withHeader("X-Flow" + end, "a")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Mail.Attachment("a" + end, "text/plain", Buffer.buffer()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Mail.Attachment("a", "text/plain" + end, Buffer.buffer()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesHeadersThatTheMessageWritesItself() {
        for (var name : List.of("Bcc", "FROM", "content-type", "Subject")) {
            assertThatThrownBy(() -> letter("nobody@example.com").withHeader(name, "a"))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void sendsNoEnvelope_whenTheFenceIsLostWhileTheServerGreets() {
        var received = new CopyOnWriteArrayList<String>();
        var held = new AtomicBoolean(true);
        withServer(
                socket -> {
                    socket.handler(RecordParser.newDelimited("\r\n", line -> {
                        received.add(line.toString());
                        held.set(false);
                        socket.write("250 ok\r\n");
                    }));
                    socket.write("220 hello\r\n");
                },
                port -> assertThatThrownBy(() -> await(
                                client("127.0.0.1").send(plain(port), letter("ada@example.com"), TIMEOUT, held::get)))
                        .isInstanceOfSatisfying(MailFailure.class, is(MailFailure.Kind.UNREACHABLE))
                        .hasMessageContaining("was not sent"));

        assertThat(received).allMatch(line -> line.startsWith("EHLO"));
    }

    @Test
    void sendsNoContent_whenTheFenceIsLostBehindTheEnvelope() {
        var received = new CopyOnWriteArrayList<String>();
        var held = new AtomicBoolean(true);
        withServer(
                socket -> {
                    socket.handler(RecordParser.newDelimited("\r\n", line -> {
                        received.add(line.toString());
                        held.compareAndSet(true, !line.toString().startsWith("RCPT"));
                        socket.write("250 ok\r\n");
                    }));
                    socket.write("220 hello\r\n");
                },
                port -> assertThatThrownBy(() -> await(
                                client("127.0.0.1").send(plain(port), letter("ada@example.com"), TIMEOUT, held::get)))
                        .isInstanceOf(MailFailure.class)
                        .hasMessageContaining("was not sent"));

        assertThat(received).anyMatch(line -> line.startsWith("RCPT")).noneMatch(line -> line.startsWith("DATA"));
    }

    /** Sends data until the client closes the connection. */
    private static void flood(NetSocket socket) {
        var much = Buffer.buffer("2".repeat(64 * 1024));
        socket.write(much).onSuccess(_ -> flood(socket));
    }

    private static void withServer(Consumer<NetSocket> greet, Consumer<Integer> use) {
        var other = await(vertx.createNetServer().connectHandler(greet::accept).listen(0, "127.0.0.1"));
        try {
            use.accept(other.actualPort());
        } finally {
            Waiting.await(other.close());
        }
    }

    private static Consumer<MailFailure> is(MailFailure.Kind kind) {
        return failure -> assertThat(failure.kind()).isEqualTo(kind);
    }

    private static SmtpClient client(String allowed) {
        return new SmtpClient(vertx, new HostGuard(vertx, AddressGuard.allowing(allowed)), InstantSource.system());
    }

    private static SmtpServer plain(int port) {
        return new SmtpServer("127.0.0.1", port, SmtpServer.Encryption.IF_OFFERED, Optional.empty(), true);
    }

    private static Optional<SmtpServer.Login> login(String password) {
        return Optional.of(new SmtpServer.Login(MailServer.USER, password));
    }

    private static Mail letter(String to) {
        return Mail.of(Mailbox.of("flows@acme.example"), Mailbox.of(to), "Hello", "Hello", "<p>Hello</p>");
    }
}
