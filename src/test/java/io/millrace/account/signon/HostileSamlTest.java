package io.millrace.account.signon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.account.platform.SamlProvider;
import io.millrace.base.secret.RsaKeys;
import io.millrace.hostile.HostileKind;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * Forged responses made from a response that the identity provider has signed for another user, and responses that
 * exhaust CPU time. The eight signature wrapping attacks (XSW) are numbered as in the literature.
 */
@HostileKind("SAML response")
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HostileSamlTest {
    private static final SamlPeer PEER = SamlPeer.create();
    private static final PrivateKey OWN_KEY = RsaKeys.generate(2048).getPrivate();
    private static final SamlPeer FORGER = SamlPeer.create();
    private static final Instant NOW = Instant.parse("2026-03-09T12:00:00Z");
    private static final String BASE = "https://mill.example.com/api/v1/authn/saml";
    private static final SamlRequest.ServiceProvider HERE = SamlRequest.ServiceProvider.at("https://mill.example.com");
    private static final SamlProvider PROVIDER =
            new SamlProvider(SamlPeer.ENTITY, SamlPeer.SIGN_IN, PEER.certificate(), "", "", "");
    private static final String DSIG = "http://www.w3.org/2000/09/xmldsig#";

    private static Document response() {
        return SamlPeer.response(BASE, "_q1", "eve@example.com", NOW);
    }

    private static SamlResponse read(String text) {
        return SamlResponse.read(text, PROVIDER, HERE, Optional.of(OWN_KEY), NOW);
    }

    private static void refuses(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> read(text));
    }

    private static Element element(Document document, String name) {
        return (Element) document.getElementsByTagNameNS("*", name).item(0);
    }

    /** Forged copy of an assertion, with the victim's address and a new id. */
    private static Element forged(Element original) {
        var forged = (Element) original.cloneNode(true);
        forged.setAttribute("ID", "evil");
        ((Element) forged.getElementsByTagNameNS("*", "NameID").item(0)).setTextContent("ada@example.com");
        return forged;
    }

    private static Element signatureOf(Element element) {
        for (var child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
            if ("Signature".equals(child.getLocalName())) {
                return (Element) child;
            }
        }
        throw new AssertionError("expected a signature");
    }

    private static Element without(Element element, Element signature) {
        element.removeChild(signature);
        return element;
    }

    /** The forged response becomes the document and includes the signature of the original one. */
    private static void wrapResponse(Document document, boolean isInside) {
        var original = document.getDocumentElement();
        var forged = forged(original);
        forged.removeChild(signatureOf(forged));
        var signature = signatureOf(original);
        without(original, signature);
        document.replaceChild(forged, original);
        forged.insertBefore(signature, element(document, "Status"));
        if (isInside) {
            signature.appendChild(original);
        } else {
            forged.insertBefore(original, signature);
        }
    }

    private static void before(Document document) {
        var original = SamlPeer.assertion(document);
        var forged = forged(original);
        forged.removeChild(signatureOf(forged));
        original.getParentNode().insertBefore(forged, original);
    }

    private static void around(Document document) {
        var original = SamlPeer.assertion(document);
        var forged = forged(original);
        forged.removeChild(signatureOf(forged));
        original.getParentNode().replaceChild(forged, original);
        forged.appendChild(original);
    }

    private static void behind(Document document) {
        var original = SamlPeer.assertion(document);
        var forged = forged(original);
        original.getParentNode().insertBefore(forged, original);
        document.getDocumentElement().appendChild(without(original, signatureOf(original)));
    }

    private static void insideSignature(Document document) {
        var original = SamlPeer.assertion(document);
        var forged = forged(original);
        original.getParentNode().replaceChild(forged, original);
        signatureOf(forged).appendChild(without(original, signatureOf(original)));
    }

    private static void insideExtensions(Document document) {
        var original = SamlPeer.assertion(document);
        var forged = forged(original);
        forged.setAttribute("ID", original.getAttribute("ID"));
        forged.removeChild(signatureOf(forged));
        var extensions = document.createElementNS("urn:oasis:names:tc:SAML:2.0:protocol", "samlp:Extensions");
        extensions.appendChild(forged);
        document.getDocumentElement().insertBefore(extensions, element(document, "Status"));
    }

    private static void insideObject(Document document) {
        var original = SamlPeer.assertion(document);
        var forged = forged(original);
        original.getParentNode().replaceChild(forged, original);
        var object = document.createElementNS(DSIG, "ds:Object");
        object.appendChild(without(original, signatureOf(original)));
        signatureOf(forged).appendChild(object);
    }

    private static Arguments wrapping(String name, boolean ofResponse, Consumer<Document> change) {
        return Arguments.of(name, ofResponse, change);
    }

    static Stream<Arguments> wrappings() {
        return Stream.of(
                wrapping(
                        "1: the original response inside the signature",
                        true,
                        document -> wrapResponse(document, true)),
                wrapping(
                        "2: the original response beside the signature",
                        true,
                        document -> wrapResponse(document, false)),
                wrapping("3: the forged assertion first", false, HostileSamlTest::before),
                wrapping("4: the original assertion inside the forged one", false, HostileSamlTest::around),
                wrapping(
                        "5: the original assertion last, its signature in the forged one",
                        false,
                        HostileSamlTest::behind),
                wrapping("6: the original assertion inside the signature", false, HostileSamlTest::insideSignature),
                wrapping("7: the forged assertion in extensions", false, HostileSamlTest::insideExtensions),
                wrapping(
                        "8: the original assertion in an object of the signature",
                        false,
                        HostileSamlTest::insideObject));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrappings")
    void refusesAWrappedSignature(String name, boolean ofResponse, Consumer<Document> change) {
        // Given
        var document = response();
        PEER.sign(ofResponse ? document.getDocumentElement() : SamlPeer.assertion(document));
        assertThat(read(SamlPeer.text(document)).person().email()).isEqualTo("eve@example.com");

        // When
        change.accept(document);

        // Then
        refuses(SamlPeer.text(document));
    }

    /** Changes of a signature after which it covers less, or has another signer. */
    static Stream<Arguments> changes() {
        UnaryOperator<String> twoInfos = xml -> xml.replaceFirst("(?s)(<SignedInfo>.*</SignedInfo>)", "$1$1");
        return Stream.of(
                Arguments.of("two signed parts", twoInfos),
                Arguments.of("a reference to all of the document", text("URI=\"#a1\"", "URI=\"\"")),
                Arguments.of("a reference to elsewhere", text("URI=\"#a1\"", "URI=\"http://127.0.0.1:1/a\"")),
                Arguments.of("a reference to a file", text("URI=\"#a1\"", "URI=\"file:///etc/hostname\"")),
                Arguments.of("a pointer", text("URI=\"#a1\"", "URI=\"#xpointer(id('a1'))\"")),
                Arguments.of("no reference", pattern("(?s)<Reference .*</Reference>", "")),
                Arguments.of("two references", pattern("(?s)(<Reference .*</Reference>)", "$1$1")),
                Arguments.of("an empty digest", pattern("<DigestValue>[^<]*", "<DigestValue>")),
                Arguments.of("an empty signature", pattern("(?s)<SignatureValue>[^<]*", "<SignatureValue>")),
                Arguments.of(
                        "a stylesheet as transform",
                        text(
                                "<Transform Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#\"/>",
                                "<Transform Algorithm=\"http://www.w3.org/TR/1999/REC-xslt-19991116\"><xsl:stylesheet "
                                        + "version=\"1.0\" xmlns:xsl=\"http://www.w3.org/1999/XSL/Transform\"/></Transform>")),
                Arguments.of(
                        "a path as transform",
                        text(
                                "http://www.w3.org/2000/09/xmldsig#enveloped-signature",
                                "http://www.w3.org/TR/1999/REC-xpath-19991116")),
                Arguments.of(
                        "another way to write what is signed",
                        text(
                                "CanonicalizationMethod Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#\"",
                                "CanonicalizationMethod Algorithm=\"http://www.w3.org/2000/09/xmldsig#base64\"")),
                Arguments.of("a name of the person that nobody signed", text("eve@example.com", "ada@example.com")),
                Arguments.of("a relative namespace", text("<saml:Subject>", "<saml:Subject xmlns:x=\"1\">")));
    }

    private static UnaryOperator<String> text(String before, String after) {
        return xml -> xml.replace(before, after);
    }

    private static UnaryOperator<String> pattern(String before, String after) {
        return xml -> xml.replaceFirst(before, after);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changes")
    void refusesAChangedSignature(String name, UnaryOperator<String> change) {
        var document = response();
        PEER.sign(SamlPeer.assertion(document));
        var xml = SamlPeer.xml(document);
        assertThat(change.apply(xml)).isNotEqualTo(xml);
        refuses(encoded(change.apply(xml)));
    }

    /** A comment in a digest is not signed, and must not be read. */
    @Test
    void believesNoDigestBesideTheSignedOne() {
        var document = response();
        PEER.sign(SamlPeer.assertion(document));
        var xml = SamlPeer.xml(document);
        var digest = xml.replaceFirst("(?s).*<DigestValue>([^<]*)<.*", "$1");
        var other = Base64.getEncoder().encodeToString(new byte[32]);
        refuses(encoded(xml.replace(digest, "<!--" + other + "-->" + digest).replace("eve@", "ada@")));
        refuses(encoded(xml.replace(digest, other + "<!--" + digest + "-->")));
    }

    @Test
    void takesNoKeyFromTheMessage() {
        var document = response();
        FORGER.sign(SamlPeer.assertion(document));
        var certificate = FORGER.pem().replaceAll("-----[A-Z ]*-----", "").strip();
        var info = "<KeyInfo><X509Data><X509Certificate>" + certificate + "</X509Certificate></X509Data></KeyInfo>";
        refuses(encoded(SamlPeer.xml(document).replace("</Signature>", info + "</Signature>")));
    }

    /** A public secret: the provider's key or certificate, used as an HMAC key. */
    @Test
    void refusesACodeInThePlaceOfASignature() throws Exception {
        for (var secret : new byte[][] {
            PEER.certificate().getPublicKey().getEncoded(),
            PEER.certificate().getEncoded(),
            PEER.pem().getBytes(StandardCharsets.US_ASCII)
        }) {
            var document = response();
            SamlPeer.signBy(
                    new SecretKeySpec(secret, "HmacSHA256"),
                    SamlPeer.assertion(document),
                    "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256");
            refuses(SamlPeer.text(document));
        }
    }

    @Test
    void readsNothingFromElsewhere() {
        var xml = SamlPeer.xml(response());
        refuses(encoded("<!DOCTYPE r [<!ENTITY % p SYSTEM \"http://127.0.0.1:1/x\">%p;]>" + xml));
        refuses(encoded("<!DOCTYPE r SYSTEM \"file:///etc/passwd\">" + xml));
        refuses(
                encoded(
                        xml.replace(
                                "eve@example.com",
                                "<i:include xmlns:i=\"http://www.w3.org/2001/XInclude\" href=\"file:///etc/hostname\" parse=\"text\"/>")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a xmlns:b='urn:b'", "samlp:Status"})
    void refusesElementsInEachOtherWithoutEnd(String name) {
        var depth = 300_000 / (2 * name.length() + 5);
        var nested = ("<" + name + ">").repeat(depth) + ("</" + name.split(" ")[0] + ">").repeat(depth);
        var xml = SamlPeer.xml(response());
        refuses(encoded(nested));
        refuses(encoded(xml.replace("<saml:Assertion", nested + "<saml:Assertion")));
        refuses(encoded(xml.replace("eve@example.com", nested)));
        var signed = response();
        PEER.sign(SamlPeer.assertion(signed));
        refuses(encoded(SamlPeer.xml(signed).replace("<SignedInfo>", "<SignedInfo>" + nested)));
        refuses(encoded(SamlPeer.xml(signed).replace("</Reference>", nested + "</Reference>")));
    }

    @Test
    void refusesAttributesAndNamespacesWithoutEnd() {
        var xml = SamlPeer.xml(response());
        for (var form : new String[] {" a%d='1'", " xmlns:a%d='urn:a'"}) {
            var many = new StringBuilder();
            IntStream.range(0, 15_000).forEach(index -> many.append(form.formatted(index)));
            refuses(encoded(xml.replace("<saml:Assertion", "<saml:Assertion" + many)));
            var signed = response();
            PEER.sign(SamlPeer.assertion(signed));
            refuses(encoded(SamlPeer.xml(signed).replace("<SignedInfo>", "<SignedInfo" + many + ">")));
        }
    }

    /** A damaged document is rejected with a message, not with an internal error. */
    @Test
    void refusesDamagedDocuments_whereverTheDamageIs() {
        var signed = response();
        PEER.sign(SamlPeer.assertion(signed));
        var xml = SamlPeer.xml(signed);
        for (var start = 0; start < xml.length() - 20; start += 7) {
            var damaged = xml.substring(0, start) + xml.substring(start + 11);
            try {
                // Blanks between elements, and parts outside of the assertion, may be changed without harm.
                assertThat(read(encoded(damaged)).person().email()).isEqualTo("eve@example.com");
            } catch (IllegalArgumentException refused) {
                assertThat(refused).hasMessageNotContaining("Exception");
            }
        }
    }

    private static String encoded(String xml) {
        return Base64.getEncoder().encodeToString(xml.getBytes(StandardCharsets.UTF_8));
    }
}
