package io.millrace.account.signon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.account.identity.IdentityProvider;
import io.millrace.account.identity.provisioning.ExternalPerson;
import io.millrace.account.platform.SamlProvider;
import io.millrace.base.core.text.SafeXml;
import io.millrace.base.secret.RsaKeys;
import io.millrace.hostile.HostileKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Assertions that the identity provider signed for another user, time, server or request, and ambiguous texts. */
@HostileKind("SAML response")
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HostileAssertionTest {
    private static final SamlPeer PEER = SamlPeer.create();
    private static final PrivateKey OWN_KEY = RsaKeys.generate(2048).getPrivate();
    private static final Instant NOW = Instant.parse("2026-03-09T12:00:00Z");
    private static final String ORIGIN = "https://mill.example.com";
    private static final String BASE = ORIGIN + "/api/v1/authn/saml";
    private static final String ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion";
    private static final SamlRequest.ServiceProvider HERE = SamlRequest.ServiceProvider.at(ORIGIN);
    private static final SamlProvider PROVIDER =
            new SamlProvider(SamlPeer.ENTITY, SamlPeer.SIGN_IN, PEER.certificate(), "", "", "");

    private static Document response() {
        return SamlPeer.response(BASE, "_q1", "eve@example.com", NOW);
    }

    private static SamlResponse read(String text) {
        return SamlResponse.read(text, PROVIDER, HERE, Optional.of(OWN_KEY), NOW);
    }

    private static Element element(Document document, String name) {
        return (Element) document.getElementsByTagNameNS("*", name).item(0);
    }

    private static Arguments attribute(String element, String name, String value) {
        Consumer<Document> change = document -> element(document, element).setAttribute(name, value);
        return Arguments.of(element + " with " + name + " " + value, change);
    }

    private static Arguments text(String element, String value) {
        Consumer<Document> change = document -> element(document, element).setTextContent(value);
        return Arguments.of(element + " " + value, change);
    }

    private static Arguments change(String name, Consumer<Document> change) {
        return Arguments.of(name, change);
    }

    private static void repeat(Document document, String name) {
        var element = element(document, name);
        element.getParentNode().insertBefore(element.cloneNode(true), element);
    }

    private static void move(Document document, String name) {
        var element = element(document, name);
        element.getParentNode().removeChild(element);
        var advice = document.createElementNS(ASSERTION, "saml:Advice");
        advice.appendChild(element);
        SamlPeer.assertion(document).appendChild(advice);
    }

    private static void rename(Document document, String name) {
        document.renameNode(element(document, name), "urn:evil", name);
    }

    static Stream<Arguments> others() {
        return Stream.of(
                attribute("Response", "Destination", ""),
                attribute("Response", "Destination", "/api/v1/authn/saml"),
                attribute("Response", "Destination", BASE + "/x"),
                attribute("Response", "Destination", BASE + ".evil.example"),
                attribute("Response", "Destination", "https://mill.example.com@evil.example/api/v1/authn/saml"),
                attribute("Response", "Destination", "http://mill.example.com/api/v1/authn/saml/acs"),
                attribute("Response", "Version", "1.1"),
                attribute("Response", "InResponseTo", ""),
                attribute("Response", "InResponseTo", "_q2"),
                attribute("StatusCode", "Value", "urn:oasis:names:tc:SAML:2.0:status:Success "),
                attribute("StatusCode", "Value", "Success"),
                change("two status codes", document -> repeat(document, "StatusCode")),
                change("two states", document -> repeat(document, "Status")),
                text("Audience", "https://mill.example.com.evil.example"),
                text("Audience", "https://mill.example.com/"),
                text("Audience", ""),
                change("an audience of another namespace", document -> rename(document, "Audience")),
                change("a restriction of another namespace", document -> rename(document, "AudienceRestriction")),
                change("a restriction more, of another audience", document -> {
                    repeat(document, "AudienceRestriction");
                    element(document, "Audience").setTextContent("https://other.example.com");
                }),
                change("conditions of another namespace", document -> rename(document, "Conditions")),
                change("two conditions", document -> repeat(document, "Conditions")),
                change("conditions in an advice", document -> move(document, "Conditions")),
                attribute("Conditions", "NotOnOrAfter", "2026-03-09T11:58:00Z"),
                attribute("Conditions", "NotOnOrAfter", "never"),
                attribute("Conditions", "NotOnOrAfter", "-999999999-01-01T00:00:00Z"),
                attribute("Conditions", "NotBefore", "+999999999-01-01T00:00:00Z"),
                attribute("Conditions", "NotBefore", "2026-03-09T12:02:01Z"),
                change("two subjects", document -> repeat(document, "Subject")),
                change("a subject in an advice", document -> move(document, "Subject")),
                change("two issuers", document -> {
                    var issuer = (Element) SamlPeer.assertion(document).getFirstChild();
                    issuer.getParentNode().insertBefore(issuer.cloneNode(true), issuer);
                }),
                attribute("SubjectConfirmation", "Method", "urn:oasis:names:tc:SAML:2.0:cm:holder-of-key"),
                attribute("SubjectConfirmation", "Method", "urn:oasis:names:tc:SAML:2.0:cm:sender-vouches"),
                attribute("SubjectConfirmation", "Method", ""),
                attribute("SubjectConfirmationData", "Recipient", ""),
                attribute("SubjectConfirmationData", "Recipient", BASE + "/acs/../../evil"),
                attribute("SubjectConfirmationData", "InResponseTo", ""),
                attribute("SubjectConfirmationData", "NotOnOrAfter", "2026-03-09T11:58:00Z"),
                attribute("SubjectConfirmationData", "NotBefore", "2026-03-09T11:00:00Z"),
                change("a confirmation in an advice", document -> move(document, "SubjectConfirmation")),
                change("a confirmation of another namespace", document -> rename(document, "SubjectConfirmation")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("others")
    void refusesWhatIsForAnother_thoughTheProviderSignedIt(String name, Consumer<Document> change) {
        for (var isWhole : new boolean[] {false, true}) {
            var document = response();
            PEER.sign(isWhole ? document.getDocumentElement() : SamlPeer.assertion(document));
            assertThat(read(SamlPeer.text(document)).inResponseTo()).isEqualTo("_q1");

            var other = response();
            change.accept(other);
            PEER.sign(isWhole ? other.getDocumentElement() : SamlPeer.assertion(other));
            assertThatIllegalArgumentException().as(name).isThrownBy(() -> read(SamlPeer.text(other)));
        }
    }

    /** Notations of a name of which a naive parser reads only a part. */
    static Stream<Arguments> names() {
        return Stream.of(
                Arguments.of("ada@example.com<!-- -->.evil.example", "ada@example.com.evil.example"),
                Arguments.of("<!-- x -->ada@example.com.evil.example", "ada@example.com.evil.example"),
                Arguments.of("ada@example.com<?stop?>.evil.example", "ada@example.com.evil.example"),
                Arguments.of("ada@example.com<![CDATA[.evil.example]]>", "ada@example.com.evil.example"),
                Arguments.of("<![CDATA[ada@example.com]]><!-- -->.evil.example", "ada@example.com.evil.example"),
                Arguments.of("ada@example.com&#x2e;evil.example", "ada@example.com.evil.example"));
    }

    @ParameterizedTest
    @MethodSource("names")
    void readsTheWholeName(String written, String meant) {
        var xml = SamlPeer.xml(response()).replace("eve@example.com", written);
        var document = SafeXml.parse(xml.getBytes(StandardCharsets.UTF_8));
        PEER.sign(SamlPeer.assertion(document));

        assertThat(read(SamlPeer.text(document)).person().email()).isEqualTo(meant);
    }

    /** Names that are not a single e-mail address; written as XML. */
    static Stream<String> noNames() {
        return Stream.of(
                "",
                " ",
                "ada",
                "ada@",
                "@example.com",
                "ada@example.com ada@evil.example",
                "ada@example.com&#10;Bcc: all@example.com",
                "ada@example.com&#13;",
                "ada@example.com@evil.example",
                "ada@example.com, eve@example.com",
                "&lt;ada@example.com&gt;",
                "ada@example.com" + "x".repeat(400),
                "ada&#9;@example.com");
    }

    /** An accepted name is trimmed, and never has a control character or a blank in it. */
    @ParameterizedTest
    @MethodSource("noNames")
    void takesNoNameThatIsNoAddress(String written) {
        var xml = SamlPeer.xml(response()).replace("eve@example.com", written);
        var document = SafeXml.parse(xml.getBytes(StandardCharsets.UTF_8));
        PEER.sign(SamlPeer.assertion(document));
        try {
            assertThat(read(SamlPeer.text(document)).person().email())
                    .matches("[^@\\s\\p{Cntrl},<>]{1,100}@[^@\\s\\p{Cntrl},<>]{1,100}");
        } catch (IllegalArgumentException refused) {
            assertThat(refused.getMessage()).isNotBlank();
        }
    }

    /** Includes characters that XML forbids, since a JSON token can contain them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ada\u0000@example.com",
                "ada@exam\u0000ple.com",
                "ada\u200b@example.com",
                "ada@example.com\u202e",
                "ada\u00ad@example.com",
                "ada\u007f@example.com",
                "ada\u0085@example.com",
                "ada@example.com;eve@example.com",
                "Ada <ada@example.com>"
            })
    void takesNoAddressWithInvisibleCharacters(String email) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ExternalPerson(IdentityProvider.SAML, email, "Ada", "Miller", Optional.empty()));
    }

    private static byte[] deflated(byte[] bytes) {
        var packed = new ByteArrayOutputStream();
        try (var deflater = new DeflaterOutputStream(packed)) {
            deflater.write(bytes);
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
        return packed.toByteArray();
    }

    /** Document types, in encodings that a check of bytes would miss. */
    static Stream<Arguments> encodings() {
        return Stream.of("UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "ISO-8859-1", "IBM037")
                .map(name -> Arguments.of(name, Charset.forName(name)));
    }

    @ParameterizedTest
    @MethodSource("encodings")
    void takesNoDocumentType_whateverTheEncoding(String name, Charset charset) {
        var xml = "<?xml version=\"1.0\" encoding=\"" + name
                + "\"?><!DOCTYPE r [<!ENTITY e SYSTEM \"file:///etc/hostname\">]>"
                + SamlPeer.xml(response()).replace("eve@example.com", "&e;");

        assertThatIllegalArgumentException().isThrownBy(() -> read(encoded(xml.getBytes(charset))));
    }

    static Stream<Arguments> entities() {
        return Stream.of(
                declared("<!ENTITY a \"" + "a".repeat(1_000) + "\">"),
                declared("<!ENTITY a \"x\"><!ENTITY b \"&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;\">"),
                declared("<!ENTITY % p SYSTEM \"http://127.0.0.1:1/p\">%p;"),
                declared("<!ENTITY % a \"<!ENTITY b SYSTEM 'file:///etc/passwd'>\">%a;"),
                declared("<!ENTITY a SYSTEM \"jar:file:///tmp/a.jar!/b\">"),
                declared("<!ENTITY a SYSTEM \"netdoc:///etc/passwd\">"),
                declared("<!ENTITY a PUBLIC \"x\" \"ftp://127.0.0.1/\">"),
                declared("<!NOTATION n SYSTEM \"file:///bin/sh\">"),
                declared("<!ATTLIST Assertion ID ID #IMPLIED>"),
                declared("<!ELEMENT Assertion ANY>"));
    }

    private static Arguments declared(String declaration) {
        UnaryOperator<String> change = xml -> "<!DOCTYPE r [" + declaration + "]>" + xml;
        return Arguments.of(declaration.substring(0, Math.min(40, declaration.length())), change);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("entities")
    void takesNoDeclaration(String name, UnaryOperator<String> change) {
        var document = response();
        PEER.sign(SamlPeer.assertion(document));
        var xml = change.apply(SamlPeer.xml(document));

        assertThatIllegalArgumentException().isThrownBy(() -> read(encoded(xml.getBytes(StandardCharsets.UTF_8))));
    }

    /** Responses may not use the deflate encoding of requests: a decompression bomb is not unpacked. */
    @Test
    void unpacksNothing() {
        var document = response();
        PEER.sign(SamlPeer.assertion(document));
        var xml = SamlPeer.xml(document).getBytes(StandardCharsets.UTF_8);

        assertThat(read(encoded(xml)).inResponseTo()).isEqualTo("_q1");
        assertThatIllegalArgumentException().isThrownBy(() -> read(encoded(deflated(xml))));
        assertThatIllegalArgumentException().isThrownBy(() -> read(encoded(deflated(new byte[64 << 20]))));
        assertThatIllegalArgumentException().isThrownBy(() -> read("=".repeat(500_000)));
    }

    private static String encoded(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
