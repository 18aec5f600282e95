package io.millrace.account.signon;

import io.millrace.base.core.SafeXml;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.spec.MGF1ParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import javax.crypto.spec.SecretKeySpec;
import javax.xml.crypto.dsig.XMLSignature;
import org.w3c.dom.Element;

/**
 * Assertions that were encrypted to this server (XML Encryption 1.1). The key of the content comes by RSA-OAEP only.
 *
 * <p>Content in CBC mode is changed by whoever knows its form, and read by whoever may ask often enough whether the change
 * went well; so it is opened only where a signature over it was good before. GCM needs none. Whatever goes wrong is told in
 * the same words.
 */
final class SamlEncryption {
    private static final String ENCRYPTION = "http://www.w3.org/2001/04/xmlenc#";
    private static final String ENCRYPTION_11 = "http://www.w3.org/2009/xmlenc11#";
    private static final String OAEP_SHA1 = ENCRYPTION + "rsa-oaep-mgf1p";
    private static final String OAEP = ENCRYPTION_11 + "rsa-oaep";
    private static final int IV_BYTES_CBC = 16;
    private static final int IV_BYTES_GCM = 12;
    private static final int TAG_BITS = 128;

    private static final Map<String, Content> CONTENTS = Map.of(
            ENCRYPTION_11 + "aes128-gcm", new Content(16, true),
            ENCRYPTION_11 + "aes256-gcm", new Content(32, true),
            ENCRYPTION + "aes128-cbc", new Content(16, false),
            ENCRYPTION + "aes256-cbc", new Content(32, false));

    private static final Map<String, String> DIGESTS = Map.of(
            XMLSignature.XMLNS + "sha1",
            "SHA-1",
            ENCRYPTION + "sha256",
            "SHA-256",
            "http://www.w3.org/2001/04/xmldsig-more#sha384",
            "SHA-384",
            ENCRYPTION + "sha512",
            "SHA-512");

    private static final Map<String, String> MASKS = Map.of(
            ENCRYPTION_11 + "mgf1sha1", "SHA-1",
            ENCRYPTION_11 + "mgf1sha256", "SHA-256",
            ENCRYPTION_11 + "mgf1sha384", "SHA-384",
            ENCRYPTION_11 + "mgf1sha512", "SHA-512");

    private SamlEncryption() {}

    /** How content is encrypted. */
    private record Content(int keyBytes, boolean isAuthenticated) {}

    /**
     * The element that was encrypted, in a document of its own.
     *
     * @param encrypted an {@code EncryptedAssertion}
     * @param isSigned whether a good signature covers what is encrypted, as it is
     * @throws IllegalArgumentException when it cannot be opened, or is not safe to open
     */
    static Element open(Element encrypted, PrivateKey key, boolean isSigned) {
        var data = only(encrypted, ENCRYPTION, "EncryptedData");
        var content = CONTENTS.get(algorithm(data));
        if (content == null) {
            throw new IllegalArgumentException("expected content encrypted by AES in GCM or CBC mode");
        }
        if (!content.isAuthenticated() && !isSigned) {
            throw new IllegalArgumentException("content in CBC mode is taken in a signed response only: expected GCM");
        }
        var wrapped = only(encrypted, ENCRYPTION, "EncryptedKey");
        var padding = padding(wrapped);
        try {
            var secret = unwrapped(value(wrapped), padding, key);
            if (secret.length != content.keyBytes()) {
                throw unreadable(null);
            }
            return SafeXml.parse(opened(value(data), new SecretKeySpec(secret, "AES"), content))
                    .getDocumentElement();
        } catch (GeneralSecurityException | IllegalArgumentException failure) {
            throw unreadable(failure);
        }
    }

    private static IllegalArgumentException unreadable(Exception cause) {
        return new IllegalArgumentException("the assertion is not encrypted to this server's key", cause);
    }

    private static byte[] unwrapped(byte[] wrapped, OAEPParameterSpec padding, PrivateKey key)
            throws GeneralSecurityException {
        var cipher = Cipher.getInstance("RSA/ECB/OAEPPadding");
        cipher.init(Cipher.DECRYPT_MODE, key, padding);
        return cipher.doFinal(wrapped);
    }

    private static byte[] opened(byte[] value, SecretKeySpec secret, Content content) throws GeneralSecurityException {
        var ivBytes = content.isAuthenticated() ? IV_BYTES_GCM : IV_BYTES_CBC;
        if (value.length <= ivBytes) {
            throw unreadable(null);
        }
        var cipher = Cipher.getInstance(content.isAuthenticated() ? "AES/GCM/NoPadding" : "AES/CBC/NoPadding");
        cipher.init(
                Cipher.DECRYPT_MODE,
                secret,
                content.isAuthenticated()
                        ? new GCMParameterSpec(TAG_BITS, value, 0, ivBytes)
                        : new IvParameterSpec(value, 0, ivBytes));
        var clear = cipher.doFinal(value, ivBytes, value.length - ivBytes);
        return content.isAuthenticated() ? clear : withoutPadding(clear);
    }

    /** The last byte counts the padding; the others of it may be anything (XML Encryption 5.2). */
    private static byte[] withoutPadding(byte[] clear) {
        var count = clear[clear.length - 1];
        if (count < 1 || count > IV_BYTES_CBC || count > clear.length) {
            throw unreadable(null);
        }
        return Arrays.copyOf(clear, clear.length - count);
    }

    /** RSA-OAEP alone: the older padding tells too much to whoever may ask often. */
    private static OAEPParameterSpec padding(Element wrapped) {
        var name = algorithm(wrapped);
        if (!name.equals(OAEP) && !name.equals(OAEP_SHA1)) {
            throw new IllegalArgumentException("expected a key encrypted by RSA-OAEP");
        }
        var method = only(wrapped, ENCRYPTION, "EncryptionMethod");
        var digest = parameter(method, XMLSignature.XMLNS, "DigestMethod", DIGESTS);
        var mask = name.equals(OAEP) ? parameter(method, ENCRYPTION_11, "MGF", MASKS) : "SHA-1";
        return new OAEPParameterSpec(digest, "MGF1", new MGF1ParameterSpec(mask), PSource.PSpecified.DEFAULT);
    }

    private static String parameter(Element method, String namespace, String name, Map<String, String> known) {
        return first(method, namespace, name)
                .map(found -> Optional.ofNullable(known.get(found.getAttribute("Algorithm")))
                        .orElseThrow(() -> new IllegalArgumentException("expected RSA-OAEP with SHA-1 or SHA-2")))
                .orElse("SHA-1");
    }

    /** Named by the method that stands in the element itself, not in what it carries. */
    private static String algorithm(Element element) {
        for (var child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element method
                    && ENCRYPTION.equals(method.getNamespaceURI())
                    && "EncryptionMethod".equals(method.getLocalName())) {
                return method.getAttribute("Algorithm");
            }
        }
        return "";
    }

    /** The bytes that an element carries itself: it may carry a key, which carries bytes of its own. */
    private static byte[] value(Element element) {
        for (var child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element data
                    && ENCRYPTION.equals(data.getNamespaceURI())
                    && "CipherData".equals(data.getLocalName())) {
                var text = only(data, ENCRYPTION, "CipherValue").getTextContent();
                return Base64.getMimeDecoder().decode(text);
            }
        }
        throw new IllegalArgumentException("expected cipher data");
    }

    private static Element only(Element parent, String namespace, String name) {
        var found = parent.getElementsByTagNameNS(namespace, name);
        if (found.getLength() != 1) {
            throw new IllegalArgumentException("expected one " + name);
        }
        return (Element) found.item(0);
    }

    private static Optional<Element> first(Element parent, String namespace, String name) {
        return Optional.ofNullable(
                (Element) parent.getElementsByTagNameNS(namespace, name).item(0));
    }
}
