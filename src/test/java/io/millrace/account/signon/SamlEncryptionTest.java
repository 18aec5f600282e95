package io.millrace.account.signon;

import static io.millrace.account.signon.SamlPeer.Encryption.ENCRYPTION;
import static io.millrace.account.signon.SamlPeer.Encryption.ENCRYPTION_11;
import static io.millrace.account.signon.SamlPeer.Encryption.GCM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.account.platform.SamlProvider;
import io.millrace.base.secret.RsaKeys;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.security.KeyPair;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class SamlEncryptionTest {
    private static final String OPENS_NOTHING = "not encrypted with this server's key";
    private static final String SHA1 = "http://www.w3.org/2000/09/xmldsig#sha1";
    private static final SamlPeer PEER = SamlPeer.create();
    private static final KeyPair KEYS = RsaKeys.generate(2048);
    private static final Instant NOW = Instant.parse("2026-03-09T12:00:00Z");
    private static final SamlRequest.ServiceProvider HERE = SamlRequest.ServiceProvider.at("https://mill.example.com");
    private static final SamlProvider PROVIDER =
            new SamlProvider(SamlPeer.ENTITY, SamlPeer.SIGN_IN, PEER.certificate(), "", "", "");

    private static final SamlPeer.Encryption CBC = GCM.ofContent(ENCRYPTION + "aes256-cbc");
    private static final SamlPeer.Encryption OLD_WRAPPING =
            new SamlPeer.Encryption(ENCRYPTION_11 + "aes128-gcm", ENCRYPTION + "rsa-oaep-mgf1p", SHA1, "");

    private static Document response() {
        return SamlPeer.response("https://mill.example.com/api/v1/authn/saml", "_q1", "grace@example.com", NOW);
    }

    /** An assertion that is signed, and then encrypted. */
    private static Document encrypted(SamlPeer.Encryption how) {
        var document = response();
        PEER.sign(SamlPeer.assertion(document));
        SamlPeer.encrypt(SamlPeer.assertion(document), KEYS.getPublic(), how);
        return document;
    }

    private static String read(Document document) {
        return SamlResponse.read(SamlPeer.text(document), PROVIDER, HERE, Optional.of(KEYS.getPrivate()), NOW)
                .person()
                .email();
    }

    private static void refuses(Document document, String why) {
        assertThatIllegalArgumentException().isThrownBy(() -> read(document)).withMessageContaining(why);
    }

    private static Element element(Document document, String name) {
        return (Element) document.getElementsByTagNameNS("*", name).item(0);
    }

    private static Stream<SamlPeer.Encryption> ways() {
        return Stream.of(GCM, GCM.ofContent(ENCRYPTION_11 + "aes128-gcm"), OLD_WRAPPING);
    }

    @ParameterizedTest
    @MethodSource("ways")
    void opensWhatIsEncryptedToThisServer(SamlPeer.Encryption how) {
        assertThat(read(encrypted(how))).isEqualTo("grace@example.com");
    }

    @Test
    void opensContentInCbcMode_onlyInASignedResponse() {
        for (var content : List.of("aes128-cbc", "aes256-cbc")) {
            // given
            var how = GCM.ofContent(ENCRYPTION + content);
            var signed = encrypted(how);
            PEER.sign(signed.getDocumentElement());
            var changed = encrypted(how);
            PEER.sign(changed.getDocumentElement());
            spoil(changed, 1);

            // then
            assertThat(read(signed)).isEqualTo("grace@example.com");
            refuses(encrypted(how), "expected AES-GCM");
            refuses(changed, "signature is invalid");
        }
    }

    @Test
    void refusesUnsignedAssertions_evenIfEncrypted() {
        // given
        var unsigned = response();
        SamlPeer.encrypt(SamlPeer.assertion(unsigned), KEYS.getPublic(), GCM);
        var stranger = response();
        SamlPeer.create().sign(SamlPeer.assertion(stranger));
        SamlPeer.encrypt(SamlPeer.assertion(stranger), KEYS.getPublic(), GCM);

        // then
        refuses(unsigned, "expected a signed response or assertion, found no signature");
        refuses(stranger, "signature is invalid");
    }

    @Test
    void refusesOtherKeysAndSpoiledContent_inTheSameWords() {
        // given
        var other = response();
        PEER.sign(SamlPeer.assertion(other));
        SamlPeer.encrypt(SamlPeer.assertion(other), RsaKeys.generate(2048).getPublic(), GCM);
        var spoiledKey = encrypted(GCM);
        spoil(spoiledKey, 0);
        var spoiledContent = encrypted(GCM);
        spoil(spoiledContent, 1);
        var shortKey = response();
        PEER.sign(SamlPeer.assertion(shortKey));
        SamlPeer.encrypt(SamlPeer.assertion(shortKey), KEYS.getPublic(), GCM.ofContent(ENCRYPTION_11 + "aes128-gcm"));
        element(shortKey, "EncryptionMethod").setAttribute("Algorithm", ENCRYPTION_11 + "aes256-gcm");

        // then
        refuses(other, OPENS_NOTHING);
        refuses(spoiledKey, OPENS_NOTHING);
        refuses(spoiledContent, OPENS_NOTHING);
        refuses(shortKey, OPENS_NOTHING);
    }

    /** Changes one bit of a value. */
    private static void spoil(Document document, int index) {
        var value = document.getElementsByTagNameNS("*", "CipherValue").item(index);
        var bytes = Base64.getMimeDecoder().decode(value.getTextContent());
        var middle = bytes.length / 2;
        bytes[middle] = (byte) (bytes[middle] ^ 1);
        value.setTextContent(Base64.getEncoder().encodeToString(bytes));
    }

    @Test
    void refusesAlgorithmsThatAreNotSafe() {
        refuses(encrypted(new SamlPeer.Encryption(GCM.content(), ENCRYPTION + "rsa-1_5", SHA1, "")), "RSA-OAEP");
        var des = encrypted(CBC);
        element(des, "EncryptionMethod").setAttribute("Algorithm", ENCRYPTION + "tripledes-cbc");
        refuses(des, "AES in GCM or CBC");
        var md5 = encrypted(GCM);
        element(md5, "DigestMethod").setAttribute("Algorithm", "http://www.w3.org/2001/04/xmldsig-more#md5");
        refuses(md5, "SHA-1 or SHA-2");
    }

    /** References to external cipher data and key agreement methods are refused without being resolved. */
    @Test
    void fetchesNothing_andAgreesOnNoKey() throws Exception {
        try (var elsewhere = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            elsewhere.setSoTimeout(1);
            for (var index = 0; index < 2; index++) {
                for (var address : List.of(
                        "http://127.0.0.1:" + elsewhere.getLocalPort() + "/x", "file:///etc/passwd", "#_q1", "")) {
                    // given
                    var document = encrypted(GCM);
                    var data = (Element) document.getElementsByTagNameNS(ENCRYPTION, "CipherData")
                            .item(index);
                    data.replaceChild(
                            withAddress(document.createElementNS(ENCRYPTION, "xenc:CipherReference"), address),
                            data.getFirstChild());

                    // then
                    refuses(document, OPENS_NOTHING);
                }
            }
            assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(elsewhere::accept);
        }
        for (var algorithm : List.of("ECDH-ES", "dh-es")) {
            var agreed = encrypted(GCM);
            ((Element) element(agreed, "EncryptedKey")
                            .getElementsByTagNameNS("*", "EncryptionMethod")
                            .item(0))
                    .setAttribute("Algorithm", ENCRYPTION_11 + algorithm);
            refuses(agreed, "RSA-OAEP");
        }
    }

    private static Element withAddress(Element reference, String address) {
        reference.setAttribute("URI", address);
        return reference;
    }

    @Test
    void refusesWhatIsCutOffOrMissing_inTheSameWords() {
        for (var index = 0; index < 2; index++) {
            for (var text : List.of("", "AAAA", "A".repeat(16), "%%%%")) {
                var cut = encrypted(GCM);
                cut.getElementsByTagNameNS("*", "CipherValue").item(index).setTextContent(text);
                refuses(cut, OPENS_NOTHING);
            }
            var empty = encrypted(GCM);
            var data = empty.getElementsByTagNameNS(ENCRYPTION, "CipherData").item(index);
            data.removeChild(data.getFirstChild());
            refuses(empty, OPENS_NOTHING);
            data.getParentNode().removeChild(data);
            refuses(empty, OPENS_NOTHING);
        }
    }

    @Test
    void refusesAssertionsThatAreHiddenInOrBesideOthers() {
        // given an attacker with the public key who wraps a signed assertion in a forged one and encrypts it
        var wrapped = response();
        var own = SamlPeer.assertion(wrapped);
        PEER.sign(own);
        var forged = (Element) own.cloneNode(true);
        forged.setAttribute("ID", "evil");
        own.getParentNode().replaceChild(forged, own);
        forged.appendChild(own);
        SamlPeer.encrypt(forged, KEYS.getPublic(), GCM);
        var two = encrypted(GCM);
        two.getDocumentElement().appendChild(element(two, "EncryptedAssertion").cloneNode(true));
        var both = encrypted(GCM);
        both.getDocumentElement().appendChild(both.importNode(SamlPeer.assertion(response()), true));
        var misplaced = encrypted(GCM);
        element(misplaced, "Status").appendChild(element(misplaced, "EncryptedAssertion"));

        // then
        refuses(wrapped, "expected one assertion in the encrypted content");
        refuses(two, "expected one assertion");
        refuses(both, "expected one assertion");
        refuses(misplaced, "expected one assertion");
    }
}
