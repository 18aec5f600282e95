package io.millrace.base.net;

import static io.millrace.base.net.LocalServer.failure;
import static io.millrace.base.net.LocalServer.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PfxOptions;
import io.vertx.junit5.VertxExtension;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The connection uses a pinned address, and the certificate is checked against the name. */
@ExtendWith(VertxExtension.class)
class OutboundTlsTest {
    private static final String PASSWORD = "changeit";

    @TempDir
    Path directory;

    @Test
    void checksTheCertificateAgainstTheName_andSendsTheName(Vertx vertx) throws Exception {
        var store = new PfxOptions().setPath(keyStore("api.example.test")).setPassword(PASSWORD);
        var server = LocalServer.start(
                vertx,
                new HttpServerOptions().setSsl(true).setSni(true).setKeyCertOptions(store),
                request -> request.response()
                        .end(request.connection().indicatedServerName() + "|" + request.getHeader("Host")));
        var client = new OutboundHttp(
                vertx,
                AddressGuard.allowing("127.0.0.1"),
                OutboundLimits.defaults(),
                _ -> Future.succeededFuture(List.of(InetAddress.ofLiteral("127.0.0.1"))),
                new HttpClientOptions().setTrustOptions(store));

        var right = result(client.send(request("api.example.test", server)));
        var wrong = failure(client.send(request("other.example.test", server)));

        assertThat(right.body().toString()).isEqualTo("api.example.test|api.example.test:" + server.port());
        assertThat(wrong).isInstanceOf(OutboundFailure.class);
        assertThat(((OutboundFailure) wrong).kind()).isEqualTo(OutboundFailure.Kind.TLS_FAILED);
    }

    @Test
    void refusesAnUntrustedCertificate(Vertx vertx) throws Exception {
        var store = new PfxOptions().setPath(keyStore("127.0.0.1")).setPassword(PASSWORD);
        var server = LocalServer.start(
                vertx,
                new HttpServerOptions().setSsl(true).setKeyCertOptions(store),
                request -> request.response().end());
        var client = new OutboundHttp(vertx, AddressGuard.allowing("127.0.0.1"), OutboundLimits.defaults());

        var refused = failure(client.send(request("127.0.0.1", server)));

        assertThat(((OutboundFailure) refused).kind()).isEqualTo(OutboundFailure.Kind.TLS_FAILED);
    }

    private static OutboundRequest request(String host, LocalServer server) {
        return OutboundRequest.of("GET", WebAddress.parse("https://" + host + ":" + server.port() + "/"));
    }

    private String keyStore(String name) throws Exception {
        var file = directory.resolve("keys.p12").toString();
        var keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "test",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "SAN=" + (name.startsWith("127") ? "IP:" : "DNS:") + name,
                        "-keystore",
                        file,
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(keytool.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(keytool.exitValue()).isZero();
        return file;
    }
}
