package io.millrace.account.mail;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.account.mail.SmtpServer.Encryption;
import io.millrace.base.net.AddressGuard;
import io.millrace.base.net.Fence;
import io.millrace.base.net.HostGuard;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.PfxOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.parsetools.RecordParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Authentication of the mail server, and the data sent before its certificate is verified. */
final class SmtpEncryptionTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final String PASSWORD = "a password of the test";
    private static final String SECRET = "post haste";

    /** A client that gives up may leave a connection that is still being read. */
    private final List<String> received = new CopyOnWriteArrayList<>();

    private static Vertx vertx;
    private static Path good;
    private static Path other;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        vertx = Vertx.vertx();
        good = key(folder.resolve("good.p12"), "localhost");
        other = key(folder.resolve("other.p12"), "mail.example.com");
    }

    @AfterAll
    static void stop() {
        await(vertx.close());
    }

    private static Path key(Path file, String name) throws Exception {
        var made = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "mail",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=dns:" + name,
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        file.toString()))
                .redirectErrorStream(true)
                .start();
        made.getInputStream().readAllBytes();
        assertThat(made.waitFor()).isZero();
        return file;
    }

    private static List<X509Certificate> certificates(Path... files) throws Exception {
        var found = new ArrayList<X509Certificate>();
        for (var file : files) {
            try (var in = Files.newInputStream(file)) {
                var from = KeyStore.getInstance("PKCS12");
                from.load(in, PASSWORD.toCharArray());
                for (var alias : Collections.list(from.aliases())) {
                    found.add((X509Certificate) from.getCertificate(alias));
                }
            }
        }
        return found;
    }

    private static SmtpClient client(Path... authorities) throws Exception {
        var hosts = new HostGuard(vertx, AddressGuard.allowing("127.0.0.1"));
        return authorities.length == 0
                ? new SmtpClient(vertx, hosts, InstantSource.system())
                : SmtpClient.trusting(certificates(authorities), vertx, hosts, InstantSource.system());
    }

    /** Mail server that accepts all messages and announces the given extensions. */
    private NetServer server(Path key, boolean isEncrypted, List<String> offers) {
        var certificate = new PfxOptions().setPath(key.toString()).setPassword(PASSWORD);
        var options = new NetServerOptions().setSsl(isEncrypted).setKeyCertOptions(certificate);
        var later = new ServerSSLOptions().setKeyCertOptions(certificate);
        return await(vertx.createNetServer(options)
                .connectHandler(socket -> {
                    socket.handler(RecordParser.newDelimited("\r\n", line -> answer(socket, line, offers, later)));
                    socket.write("220 mail.example.com\r\n");
                })
                .listen(0, "127.0.0.1"));
    }

    private void answer(NetSocket socket, Buffer line, List<String> offers, ServerSSLOptions later) {
        var text = line.toString();
        received.add((socket.isSsl() ? "tls " : "clear ") + text);
        switch (text.split(" ")[0].toUpperCase(Locale.ROOT)) {
            case "EHLO" -> {
                var left = new ArrayList<>(offers);
                left.removeIf(offer -> socket.isSsl() && offer.equals("STARTTLS"));
                left.addFirst("mail.example.com");
                var reply = IntStream.range(0, left.size())
                        .mapToObj(index -> "250" + (index == left.size() - 1 ? " " : "-") + left.get(index) + "\r\n")
                        .reduce("", String::concat);
                socket.write(reply);
            }
            case "STARTTLS" -> {
                // Plain text after the response is injected: a client that buffers it would accept it as an encrypted
                // answer.
                var _ = socket.upgradeToSsl(later, Buffer.buffer("220 go\r\n250 forged\r\n"));
            }
            case "AUTH" -> socket.write(text.endsWith("CRAM-MD5") ? "334 PDFAbWFpbD4=\r\n" : "235 welcome\r\n");
            case "DATA" -> socket.write("354 go on\r\n");
            case "QUIT" -> {
                var _ = socket.end(Buffer.buffer("221 bye\r\n"));
            }
            case "MAIL", "RCPT", "." -> socket.write("250 ok\r\n");
            default -> {
                if (received.get(received.size() - 2).endsWith("CRAM-MD5")) {
                    socket.write("235 welcome\r\n");
                }
            }
        }
    }

    private static Future<String> send(NetServer server, Encryption encryption) throws Exception {
        var login = Optional.of(new SmtpServer.Login("flows@acme.example", SECRET));
        return send(client(good, other), server, encryption, login);
    }

    private static Future<String> send(
            SmtpClient client, NetServer server, Encryption encryption, Optional<SmtpServer.Login> login) {
        var letter = Mail.of(
                Mailbox.of("flows@acme.example"), Mailbox.of("ada@example.com"), "Hello", "Hello", "<p>Hello</p>");
        return client.send(
                new SmtpServer("localhost", server.actualPort(), encryption, login, true), letter, TIMEOUT, Fence.OPEN);
    }

    private static void refuses(NetServer server, Encryption encryption) {
        assertThatThrownBy(() -> await(send(server, encryption)))
                .isInstanceOfSatisfying(
                        MailFailure.class,
                        failure -> assertThat(failure.kind()).isEqualTo(MailFailure.Kind.UNREACHABLE));
    }

    private void assertNothingSentInPlainText() {
        assertThat(received).noneMatch(line -> line.startsWith("clear AUTH") || line.startsWith("clear MAIL"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void sendsToTheServerOfThatName(boolean isFromTheStart) throws Exception {
        var server = server(good, isFromTheStart, List.of("STARTTLS", "AUTH PLAIN LOGIN"));

        await(send(server, isFromTheStart ? Encryption.FROM_THE_START : Encryption.UPGRADED));

        assertThat(received).anyMatch(line -> line.startsWith("tls AUTH PLAIN"));
        assertThat(received).contains("tls .");
        assertNothingSentInPlainText();
    }

    @ParameterizedTest
    @EnumSource(
            value = Encryption.class,
            names = {"FROM_THE_START", "UPGRADED", "IF_OFFERED"})
    void sendsToARelayWithoutLogin_thatAnAuthorityOfTheOperatorVouchesFor(Encryption encryption) throws Exception {
        var server = server(good, encryption == Encryption.FROM_THE_START, List.of("STARTTLS"));

        await(send(client(good), server, encryption, Optional.empty()));

        assertThat(received).contains("tls .").noneMatch(line -> line.contains("AUTH"));
        assertNothingSentInPlainText();
    }

    @ParameterizedTest
    @EnumSource(
            value = Encryption.class,
            names = {"FROM_THE_START", "UPGRADED", "IF_OFFERED"})
    void refusesARelay_thatNoTrustedAuthorityVouchesFor(Encryption encryption) throws Exception {
        var server = server(good, encryption == Encryption.FROM_THE_START, List.of("STARTTLS"));

        for (var client : List.of(client(), client(other))) {
            assertThatThrownBy(() -> await(send(client, server, encryption, Optional.empty())))
                    .isInstanceOf(MailFailure.class);
        }

        assertThat(received).noneMatch(line -> line.contains("MAIL"));
    }

    @ParameterizedTest
    @EnumSource(
            value = Encryption.class,
            names = {"FROM_THE_START", "UPGRADED", "IF_OFFERED"})
    void sendsNothingToAServerOfAnotherName_withATrustedCertificate(Encryption encryption) {
        var server = server(other, encryption == Encryption.FROM_THE_START, List.of("STARTTLS", "AUTH PLAIN LOGIN"));

        assertThatThrownBy(() -> await(send(server, encryption)))
                .isInstanceOf(MailFailure.class)
                .hasMessageContaining("name matching localhost");

        assertThat(received).noneMatch(line -> line.contains("AUTH") || line.contains("MAIL"));
    }

    /** STARTTLS stripping: a man in the middle removes the offer. */
    @Test
    void sendsNothing_whenStartTlsIsNotOffered() {
        var server = server(good, false, List.of("AUTH PLAIN LOGIN"));

        refuses(server, Encryption.UPGRADED);

        assertNothingSentInPlainText();
    }

    @Test
    void sendsNoPassword_whereTheServerTakesAnAnswerInstead() throws Exception {
        var server = server(good, false, List.of("AUTH CRAM-MD5 PLAIN LOGIN"));

        await(send(server, Encryption.NEVER));

        assertThat(received).contains("clear AUTH CRAM-MD5");
        assertThat(received).noneMatch(line -> line.contains("PLAIN"));
    }

    @Test
    void refusesAServerThatTakesNoLogin_whenThereIsOne() {
        var server = server(good, true, List.of("SIZE 1000000"));

        refuses(server, Encryption.FROM_THE_START);

        assertThat(received).noneMatch(line -> line.contains("MAIL"));
    }
}
