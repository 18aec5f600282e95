package io.millrace.account.signon;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.base.core.text.SafeXml;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.MGF1ParameterSpec;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import javax.crypto.spec.SecretKeySpec;
import javax.xml.crypto.dsig.CanonicalizationMethod;
import javax.xml.crypto.dsig.Transform;
import javax.xml.crypto.dsig.XMLSignatureFactory;
import javax.xml.crypto.dsig.dom.DOMSignContext;
import javax.xml.crypto.dsig.spec.C14NMethodParameterSpec;
import javax.xml.crypto.dsig.spec.TransformParameterSpec;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** SAML identity provider, with forged responses. */
final class SamlPeer {
    static final String ENTITY = "https://idp.example.com/metadata";
    static final String SIGN_IN = "https://idp.example.com/sign-in?tenant=1";
    static final String RSA_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
    static final String SHA256 = "http://www.w3.org/2001/04/xmlenc#sha256";

    private static final String ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion";

    private final PrivateKey key;
    private final X509Certificate certificate;

    private SamlPeer(PrivateKey key, X509Certificate certificate) {
        this.key = key;
        this.certificate = certificate;
    }

    static SamlPeer create() {
        try {
            var folder = Files.createTempDirectory("saml");
            var file = folder.resolve("idp.p12");
            var password = "a password of the test";
            var made = new ProcessBuilder(List.of(
                            Path.of(System.getProperty("java.home"), "bin", "keytool")
                                    .toString(),
                            "-genkeypair",
                            "-alias",
                            "idp",
                            "-keyalg",
                            "RSA",
                            "-keysize",
                            "2048",
                            "-dname",
                            "CN=idp",
                            "-validity",
                            "3650",
                            "-storetype",
                            "PKCS12",
                            "-storepass",
                            password,
                            "-keystore",
                            file.toString()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (made != 0) {
                throw new AssertionError("keytool ended with " + made);
            }
            var store = KeyStore.getInstance(file.toFile(), password.toCharArray());
            Files.delete(file);
            Files.delete(folder);
            return new SamlPeer((PrivateKey) store.getKey("idp", password.toCharArray()), (X509Certificate)
                    store.getCertificate("idp"));
        } catch (Exception failure) {
            throw new AssertionError("no key for SAML", failure);
        }
    }

    X509Certificate certificate() {
        return certificate;
    }

    String pem() {
        try {
            return "-----BEGIN CERTIFICATE-----\n"
                    + Base64.getMimeEncoder().encodeToString(certificate.getEncoded())
                    + "\n-----END CERTIFICATE-----";
        } catch (java.security.cert.CertificateEncodingException impossible) {
            throw new AssertionError(impossible);
        }
    }

    static String metadata() {
        return metadata(SIGN_IN);
    }

    /** @param signIn address to which browsers are redirected */
    static String metadata(String signIn) {
        return """
                <?xml version="1.0"?>
                <EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="%s"><IDPSSODescriptor \
                protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><SingleSignOnService \
                Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://idp.example.com/post"/>\
                <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="%s"/>\
                </IDPSSODescriptor></EntityDescriptor>""".formatted(ENTITY, signIn);
    }

    /** Id of the authentication request in the query of the browser's redirect. */
    static String questionIn(String query) {
        var deflated = Base64.getDecoder().decode(OidcPeer.query(query).get("SAMLRequest"));
        try (var stream = new InflaterInputStream(new ByteArrayInputStream(deflated), new Inflater(true))) {
            return document(new String(stream.readAllBytes(), UTF_8))
                    .getDocumentElement()
                    .getAttribute("ID");
        } catch (IOException notDeflated) {
            throw new AssertionError(notDeflated);
        }
    }

    /** A response without a signature. */
    static Document response(String here, String question, String email, Instant now) {
        return document("""
                <samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" \
                xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="r1" Version="2.0" IssueInstant="%4$s" \
                Destination="%1$s/acs" InResponseTo="%2$s"><saml:Issuer>%6$s</saml:Issuer><samlp:Status>\
                <samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>\
                <saml:Assertion ID="a1" Version="2.0" IssueInstant="%4$s"><saml:Issuer>%6$s</saml:Issuer><saml:Subject>\
                <saml:NameID>%3$s</saml:NameID><saml:SubjectConfirmation \
                Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData \
                Recipient="%1$s/acs" InResponseTo="%2$s" NotOnOrAfter="%5$s"/></saml:SubjectConfirmation></saml:Subject>\
                <saml:Conditions NotBefore="%4$s" NotOnOrAfter="%5$s"><saml:AudienceRestriction>\
                <saml:Audience>%1$s/metadata</saml:Audience></saml:AudienceRestriction></saml:Conditions>\
                <saml:AttributeStatement><saml:Attribute Name="firstName"><saml:AttributeValue>Grace\
                </saml:AttributeValue></saml:Attribute><saml:Attribute Name="lastName"><saml:AttributeValue>Hopper\
                </saml:AttributeValue></saml:Attribute></saml:AttributeStatement></saml:Assertion></samlp:Response>""".formatted(here, question, email, now, now.plusSeconds(300), ENTITY));
    }

    static Document document(String text) {
        return SafeXml.parse(text.getBytes(UTF_8));
    }

    /** States in the assertion until when the session at the provider lasts. */
    static void endSession(Document document, String end) {
        var prefix = assertion(document).getPrefix();
        var statement =
                document.createElementNS(ASSERTION, prefix == null ? "AuthnStatement" : prefix + ":AuthnStatement");
        statement.setAttribute("SessionNotOnOrAfter", end);
        assertion(document).appendChild(statement);
    }

    static Element assertion(Document document) {
        return (Element) document.getElementsByTagNameNS(ASSERTION, "Assertion").item(0);
    }

    /** Signs an element by its id, and inserts the signature after its issuer. */
    void sign(Element element) {
        sign(element, element, RSA_SHA256, SHA256);
    }

    /** Inserts a signature of one element into another. */
    void sign(Element signed, Element place, String method, String digest) {
        sign(key, signed, place, method, digest);
    }

    /** Signs an element with any key, including a secret one. */
    static void signBy(Key by, Element element, String method) {
        sign(by, element, element, method, SHA256);
    }

    private static void sign(Key key, Element signed, Element place, String method, String digest) {
        try {
            var factory = XMLSignatureFactory.getInstance("DOM");
            var transforms = List.of(
                    factory.newTransform(Transform.ENVELOPED, (TransformParameterSpec) null),
                    factory.newTransform("http://www.w3.org/2001/10/xml-exc-c14n#", (TransformParameterSpec) null));
            var reference = factory.newReference(
                    "#" + signed.getAttribute("ID"), factory.newDigestMethod(digest, null), transforms, null, null);
            var info = factory.newSignedInfo(
                    factory.newCanonicalizationMethod(CanonicalizationMethod.EXCLUSIVE, (C14NMethodParameterSpec) null),
                    factory.newSignatureMethod(method, null),
                    List.of(reference));
            var context = new DOMSignContext(key, place, place.getFirstChild().getNextSibling());
            context.setProperty("org.jcp.xml.dsig.secureValidation", false);
            context.setIdAttributeNS(signed, null, "ID");
            factory.newXMLSignature(info, null).sign(context);
        } catch (Exception failure) {
            throw new AssertionError("could not sign", failure);
        }
    }

    /** Response as a browser posts it: a signed assertion in a document that was changed afterwards. */
    String brought(Document document, Consumer<Document> change) {
        sign(assertion(document));
        change.accept(document);
        return text(document);
    }

    /** Encryption algorithms of the content and of its key, named as in XML Encryption. */
    record Encryption(String content, String wrapping, String digest, String mask) {
        static final String ENCRYPTION = "http://www.w3.org/2001/04/xmlenc#";
        static final String ENCRYPTION_11 = "http://www.w3.org/2009/xmlenc11#";
        static final Encryption GCM = new Encryption(
                ENCRYPTION_11 + "aes256-gcm", ENCRYPTION_11 + "rsa-oaep", ENCRYPTION + "sha256", "mgf1sha256");

        Encryption ofContent(String name) {
            return new Encryption(name, wrapping, digest, mask);
        }
    }

    /** Replaces an element by encrypted data. */
    static void encrypt(Element element, PublicKey to, Encryption how) {
        try {
            var isGcm = how.content().endsWith("gcm");
            var secret = new byte[how.content().contains("128") ? 16 : 32];
            var iv = new byte[isGcm ? 12 : 16];
            new SecureRandom().nextBytes(secret);
            new SecureRandom().nextBytes(iv);
            var cipher = Cipher.getInstance(isGcm ? "AES/GCM/NoPadding" : "AES/CBC/PKCS5Padding");
            cipher.init(
                    Cipher.ENCRYPT_MODE,
                    new SecretKeySpec(secret, "AES"),
                    isGcm ? new GCMParameterSpec(128, iv) : new IvParameterSpec(iv));
            var content =
                    Buffer.buffer(iv).appendBytes(cipher.doFinal(xml(element).getBytes(UTF_8)));
            var data = document("""
                    <saml:EncryptedAssertion xmlns:saml="%s" xmlns:xenc="%s" xmlns:ds="http://www.w3.org/2000/09/xmldsig#">\
                    <xenc:EncryptedData Type="%2$sElement"><xenc:EncryptionMethod Algorithm="%3$s"/><ds:KeyInfo>\
                    <xenc:EncryptedKey><xenc:EncryptionMethod Algorithm="%4$s"><ds:DigestMethod Algorithm="%5$s"/>%6$s\
                    </xenc:EncryptionMethod><xenc:CipherData><xenc:CipherValue>%7$s</xenc:CipherValue></xenc:CipherData>\
                    </xenc:EncryptedKey></ds:KeyInfo><xenc:CipherData><xenc:CipherValue>%8$s</xenc:CipherValue>\
                    </xenc:CipherData></xenc:EncryptedData></saml:EncryptedAssertion>""".formatted(
                            ASSERTION,
                            Encryption.ENCRYPTION,
                            how.content(),
                            how.wrapping(),
                            how.digest(),
                            how.mask().isEmpty() ? "" : mask(how.mask()),
                            Base64.getEncoder().encodeToString(wrapped(secret, to, how)),
                            Base64.getMimeEncoder().encodeToString(content.getBytes())));
            var place = element.getOwnerDocument().importNode(data.getDocumentElement(), true);
            element.getParentNode().replaceChild(place, element);
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError("could not encrypt", impossible);
        }
    }

    private static String mask(String name) {
        return "<m:MGF xmlns:m=\"" + Encryption.ENCRYPTION_11 + "\" Algorithm=\"" + Encryption.ENCRYPTION_11 + name
                + "\"/>";
    }

    private static byte[] wrapped(byte[] secret, PublicKey to, Encryption how) throws GeneralSecurityException {
        if (how.wrapping().endsWith("rsa-1_5")) {
            var cipher = Cipher.getInstance("RSA/ECB/PKCS1Padding");
            cipher.init(Cipher.ENCRYPT_MODE, to);
            return cipher.doFinal(secret);
        }
        var cipher = Cipher.getInstance("RSA/ECB/OAEPPadding");
        cipher.init(
                Cipher.ENCRYPT_MODE,
                to,
                new OAEPParameterSpec(
                        how.digest().endsWith("sha256") ? "SHA-256" : "SHA-1",
                        "MGF1",
                        new MGF1ParameterSpec(how.mask().endsWith("sha256") ? "SHA-256" : "SHA-1"),
                        PSource.PSpecified.DEFAULT));
        return cipher.doFinal(secret);
    }

    static String text(Document document) {
        return Base64.getEncoder().encodeToString(xml(document).getBytes(UTF_8));
    }

    static String xml(Node document) {
        try {
            var writer = new StringWriter();
            var transformer = TransformerFactory.newInstance().newTransformer();
            transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
            transformer.transform(new DOMSource(document), new StreamResult(writer));
            return writer.toString();
        } catch (javax.xml.transform.TransformerException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
