package io.millrace.account.signon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.account.platform.SamlProvider;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class SamlResponseTest {
    private static final SamlPeer PEER = SamlPeer.create();
    private static final Instant NOW = Instant.parse("2026-03-09T12:00:00Z");
    private static final String BASE = "https://mill.example.com/api/v1/authn/saml";
    private static final SamlRequest.ServiceProvider HERE = SamlRequest.ServiceProvider.at("https://mill.example.com");
    private static final SamlProvider PROVIDER =
            new SamlProvider(SamlPeer.ENTITY, SamlPeer.SIGN_IN, PEER.certificate(), "", "", "");

    private static Document response() {
        return SamlPeer.response(BASE, "_q1", "Grace@Example.com", NOW);
    }

    private static SamlResponse read(String text) {
        return SamlResponse.read(text, PROVIDER, HERE, Optional.empty(), NOW);
    }

    private static void refuses(String text, String why) {
        assertThatIllegalArgumentException().isThrownBy(() -> read(text)).withMessageContaining(why);
    }

    /** Changes a response before the provider signs it: a faulty provider, or a response to another request. */
    private static void refusesSigned(Consumer<Document> before, String why) {
        var document = response();
        before.accept(document);
        PEER.sign(SamlPeer.assertion(document));
        refuses(SamlPeer.text(document), why);
    }

    private static Element element(Document document, String name) {
        return (Element) document.getElementsByTagNameNS("*", name).item(0);
    }

    @Test
    void believesASignedAssertion_orASignedResponse() {
        // Given
        var whole = response();
        PEER.sign(whole.getDocumentElement());
        var both = response();
        PEER.sign(SamlPeer.assertion(both));
        PEER.sign(both.getDocumentElement());

        // When
        var read = read(PEER.brought(response(), _ -> {}));

        // Then
        assertThat(read.inResponseTo()).isEqualTo("_q1");
        assertThat(read.person().email()).isEqualTo("grace@example.com");
        assertThat(read.person().firstName()).isEqualTo("Grace");
        assertThat(read(SamlPeer.text(whole)).person().email()).isEqualTo("grace@example.com");
        assertThat(read(SamlPeer.text(both)).person().email()).isEqualTo("grace@example.com");
    }

    @Test
    void readsBase64WithLineBreaks_andRefusesOtherCharacters() {
        var text = PEER.brought(response(), _ -> {});

        assertThat(read(text.substring(0, 76) + "\r\n " + text.substring(76)).inResponseTo())
                .isEqualTo("_q1");
        refuses(text.substring(0, 76) + "*" + text.substring(76), "expected Base64 in SAMLResponse");
        refuses("<samlp:Response/>", "expected Base64 in SAMLResponse");
    }

    @Test
    void readsTheEarliestEndOfTheSessionAtTheProvider() {
        var document = response();
        SamlPeer.endSession(document, NOW.plusSeconds(7_200).toString());
        SamlPeer.endSession(document, NOW.plusSeconds(3_600).toString());

        assertThat(read(PEER.brought(document, _ -> {})).sessionEnd()).contains(NOW.plusSeconds(3_600));
        assertThat(read(PEER.brought(response(), _ -> {})).sessionEnd()).isEmpty();
    }

    @Test
    void refusesASessionThatHasEndedAtTheProvider_orWhoseEndIsNoTime() {
        for (var end : new String[] {NOW.toString(), NOW.minusSeconds(1).toString(), "1970-01-01T00:00:00Z"}) {
            refusesSigned(
                    document -> SamlPeer.endSession(document, end), "the session at the identity provider has ended");
            refusesSigned(
                    document -> {
                        SamlPeer.endSession(document, end);
                        SamlPeer.endSession(document, NOW.plusSeconds(60).toString());
                    },
                    "has ended");
        }
        for (var end : new String[] {"", "tomorrow", "2026-13-01T00:00:00Z", "9".repeat(40)}) {
            refusesSigned(document -> SamlPeer.endSession(document, end), "expected a time in UTC");
        }
    }

    @Test
    void takesTheAttributesThatTheAdministratorNames() {
        // Given
        var named = new SamlProvider(SamlPeer.ENTITY, SamlPeer.SIGN_IN, PEER.certificate(), "lastName", "", "");
        var document = response();
        element(document, "Attribute").setAttribute("Name", "mail");
        element(document, "AttributeValue").setTextContent("other@example.com");
        PEER.sign(SamlPeer.assertion(document));
        var text = SamlPeer.text(document);

        // Then
        assertThat(read(text).person().email()).isEqualTo("other@example.com");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SamlResponse.read(text, named, HERE, Optional.empty(), NOW))
                .withMessageContaining("e-mail");
    }

    @Test
    void refusesResponses_withoutASignatureOrWithAnotherSigner() {
        // Given
        var stranger = SamlPeer.create();

        // Then
        refuses(SamlPeer.text(response()), "expected a signed response or assertion, found no signature");
        refuses(stranger.brought(response(), _ -> {}), "signature is invalid");
        refuses(
                PEER.brought(response(), document -> element(document, "NameID").setTextContent("eve@example.com")),
                "signature is invalid");
    }

    @Test
    void refusesWeakSignatures() {
        var sha1 = response();
        PEER.sign(
                SamlPeer.assertion(sha1),
                SamlPeer.assertion(sha1),
                "http://www.w3.org/2000/09/xmldsig#rsa-sha1",
                "http://www.w3.org/2000/09/xmldsig#sha1");
        refuses(SamlPeer.text(sha1), "signature");
    }

    @Test
    void refusesWrappedSignatures() {
        // A forged assertion replaces the signed one, which is moved inside it, next to it or into the signature.
        refuses(
                PEER.brought(response(), document -> {
                    var signed = SamlPeer.assertion(document);
                    var forged = (Element) signed.cloneNode(true);
                    forged.setAttribute("ID", "evil");
                    signed.getParentNode().replaceChild(forged, signed);
                    var hide = document.createElementNS("urn:x", "x:Extensions");
                    hide.appendChild(signed);
                    forged.appendChild(hide);
                }),
                "expected one assertion");
        refuses(
                PEER.brought(response(), document -> {
                    var forged = (Element) SamlPeer.assertion(document).cloneNode(true);
                    document.getDocumentElement().appendChild(forged);
                }),
                "same id");
        refuses(
                PEER.brought(response(), document -> {
                    var forged = (Element) SamlPeer.assertion(document).cloneNode(true);
                    forged.setAttribute("ID", "evil");
                    document.getDocumentElement().insertBefore(forged, SamlPeer.assertion(document));
                }),
                "expected one assertion");
        // The signature of the assertion is moved to the unsigned response.
        refuses(
                PEER.brought(response(), document -> {
                    var signature = element(document, "Signature");
                    document.getDocumentElement().insertBefore(signature, element(document, "Status"));
                }),
                "does not reference its parent element");
        // An element other than the parent of the signature is signed.
        var beside = response();
        PEER.sign(element(beside, "Response"), SamlPeer.assertion(beside), SamlPeer.RSA_SHA256, SamlPeer.SHA256);
        refuses(SamlPeer.text(beside), "does not reference its parent element");
        // Two signatures in one element.
        refuses(
                PEER.brought(response(), document -> {
                    var signature = element(document, "Signature");
                    signature.getParentNode().appendChild(signature.cloneNode(true));
                }),
                "two signatures");
    }

    @Test
    void refusesAnswersToOthers_andOutOfTime() {
        refusesSigned(document -> element(document, "Audience").setTextContent("https://other"), "another audience");
        refusesSigned(
                document -> element(document, "Conditions").removeChild(element(document, "AudienceRestriction")),
                "another audience");
        refusesSigned(
                document -> element(document, "SubjectConfirmationData").setAttribute("Recipient", "https://other"),
                "bearer confirmation");
        refusesSigned(
                document -> element(document, "SubjectConfirmationData").setAttribute("InResponseTo", "_other"),
                "bearer confirmation");
        refusesSigned(
                document -> element(document, "SubjectConfirmationData").removeAttribute("NotOnOrAfter"),
                "bearer confirmation");
        refusesSigned(
                document -> element(document, "Conditions").setAttribute("NotOnOrAfter", "2026-03-09T11:57:59Z"),
                "expired");
        refusesSigned(
                document -> element(document, "Conditions").setAttribute("NotBefore", "2026-03-09T12:02:01Z"),
                "not valid yet");
        refusesSigned(
                document -> element(document, "Conditions").setAttribute("NotBefore", "yesterday"), "time in UTC");
        refusesSigned(
                document -> document.getDocumentElement().setAttribute("Destination", "https://other"),
                "expected this server's address");
        refusesSigned(
                document -> document.getDocumentElement().removeAttribute("InResponseTo"), "expected InResponseTo");
        refusesSigned(
                document -> element(document, "StatusCode")
                        .setAttribute("Value", "urn:oasis:names:tc:SAML:2.0:status:Requester"),
                "reports that the sign-in failed");
        refusesSigned(
                document -> SamlPeer.assertion(document).getFirstChild().setTextContent("https://other"),
                "not the configured identity provider");
        refusesSigned(
                document -> element(document, "Issuer").setTextContent("https://other"), "not the configured identity");
    }

    @Test
    void readsANameAcrossAComment_asWhole() {
        // Given
        var document = response();
        var name = element(document, "NameID");
        name.setTextContent("grace@example.com");
        name.appendChild(document.createComment("x"));
        name.appendChild(document.createTextNode(".evil.org"));
        PEER.sign(SamlPeer.assertion(document));

        // Then
        assertThat(read(SamlPeer.text(document)).person().email()).isEqualTo("grace@example.com.evil.org");
    }

    @Test
    void refusesEntities_andWhatIsNoResponse() {
        refuses(encoded("<!DOCTYPE r [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><r>&x;</r>"), "document type");
        refuses(encoded("<!DOCTYPE r [<!ENTITY a \"aa\"><!ENTITY b \"&a;&a;\">]><r>&b;</r>"), "document type");
        refuses(encoded("<r/>"), "Response of SAML 2.0");
        refuses(encoded("no xml"), "expected XML");
        refuses("", "expected XML");
        refuses("A".repeat(600_000), "too large");
        refuses(
                encoded(SamlPeer.xml(response()).replace("saml:Assertion", "saml:EncryptedAssertion")),
                "this server's key was never requested");
    }

    private static String encoded(String xml) {
        return Base64.getEncoder().encodeToString(xml.getBytes(StandardCharsets.UTF_8));
    }
}
