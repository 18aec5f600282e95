package io.millrace.account.signon;

import io.millrace.base.core.Ids;
import io.millrace.base.persistence.Database;
import io.millrace.base.secret.RsaKeys;
import io.millrace.base.secret.SecretBox;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.Optional;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * The key to which identity providers encrypt. It is generated at the first request, is shared by all nodes, and is never
 * replaced, because providers store its certificate.
 */
final class SamlKeys {
    private static final int KEY_BITS = 2048;
    private static final Duration VALIDITY = Duration.ofDays(20 * 365);
    private static final String CONTEXT = "saml_key";

    private final Vertx vertx;
    private final Database database;
    private final SecretBox box;
    private final InstantSource clock;
    private final SamlKeyStore store = new SamlKeyStore();

    SamlKeys(Vertx vertx, Database database, SecretBox box, InstantSource clock) {
        this.vertx = vertx;
        this.database = database;
        this.box = box;
        this.clock = clock;
    }

    /** The key; empty before it is first requested. */
    Future<Optional<SamlKey>> found() {
        return database.read(store::find).map(found -> found.map(this::opened));
    }

    Future<SamlKey> made() {
        return found().compose(found -> found.map(Future::succeededFuture).orElseGet(this::make));
    }

    private Future<SamlKey> make() {
        var now = clock.instant();
        return vertx.executeBlocking(() -> fresh(now), false)
                .compose(row -> database.inTransaction(tx -> store.insert(tx, row, now)))
                .map(this::opened);
    }

    private SamlKeyStore.SealedKeyPair fresh(Instant now) {
        var pair = RsaKeys.generate(KEY_BITS);
        return new SamlKeyStore.SealedKeyPair(
                certificate(pair, now), Buffer.buffer(box.seal(pair.getPrivate().getEncoded(), CONTEXT)));
    }

    /** Identity providers import keys as certificates only; they ignore the other fields of the certificate. */
    private static Buffer certificate(KeyPair pair, Instant now) {
        var name = new X500Name("CN=Millrace");
        var serial = new BigInteger(1, Ids.next().getBytes(StandardCharsets.US_ASCII));
        try {
            var signer = new JcaContentSignerBuilder("SHA256withRSA").build(pair.getPrivate());
            var certificate = new JcaX509v3CertificateBuilder(
                            name, serial, Date.from(now), Date.from(now.plus(VALIDITY)), name, pair.getPublic())
                    .build(signer);
            return Buffer.buffer(certificate.getEncoded());
        } catch (OperatorCreationException impossible) {
            throw new IllegalStateException("every JDK signs with RSA", impossible);
        } catch (IOException impossible) {
            throw new UncheckedIOException("a new certificate can be encoded", impossible);
        }
    }

    private SamlKey opened(SamlKeyStore.SealedKeyPair held) {
        return new SamlKey(RsaKeys.privateKey(box.open(held.sealedKey().getBytes(), CONTEXT)), held.certificate());
    }
}
