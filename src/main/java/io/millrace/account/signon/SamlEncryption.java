package io.millrace.account.signon;

import io.millrace.base.core.text.SafeXml;
import java.security.Key;
import java.security.PrivateKey;
import java.util.Map;
import java.util.Set;
import javax.xml.crypto.dsig.XMLSignature;
import org.apache.xml.security.Init;
import org.apache.xml.security.encryption.XMLCipher;
import org.apache.xml.security.encryption.XMLEncryptionException;
import org.apache.xml.security.utils.EncryptionConstants;
import org.w3c.dom.Element;

/**
 * Assertions that were encrypted to this server (XML Encryption 1.1). The content key must be wrapped with RSA-OAEP.
 *
 * <p>Content in CBC mode is malleable, and an oracle for failures allows its decryption; so it is decrypted only when a valid
 * signature covers it. GCM needs none. All failures have the same message.
 */
final class SamlEncryption {
    private static final String ENCRYPTION = "http://www.w3.org/2001/04/xmlenc#";
    private static final String ENCRYPTION_11 = "http://www.w3.org/2009/xmlenc11#";
    private static final Set<String> WRAPPINGS = Set.of(XMLCipher.RSA_OAEP, XMLCipher.RSA_OAEP_11);

    private static final Map<String, Content> CONTENTS = Map.of(
            XMLCipher.AES_128_GCM, new Content(16, true),
            XMLCipher.AES_256_GCM, new Content(32, true),
            XMLCipher.AES_128, new Content(16, false),
            XMLCipher.AES_256, new Content(32, false));

    private static final Set<String> DIGESTS =
            Set.of(XMLCipher.SHA1, XMLCipher.SHA256, "http://www.w3.org/2001/04/xmldsig-more#sha384", XMLCipher.SHA512);

    private static final Set<String> MASKS = Set.of(
            EncryptionConstants.MGF1_SHA1,
            EncryptionConstants.MGF1_SHA256,
            EncryptionConstants.MGF1_SHA384,
            EncryptionConstants.MGF1_SHA512);

    private SamlEncryption() {}

    private record Content(int keyBytes, boolean isAuthenticated) {}

    /**
     * The decrypted element, in a separate document.
     *
     * @param encrypted an {@code EncryptedAssertion}
     * @param isSigned true when a valid signature covers the encrypted form
     * @throws IllegalArgumentException when it cannot be decrypted, or is not safe to decrypt
     */
    static Element open(Element encrypted, PrivateKey key, boolean isSigned) {
        var data = only(encrypted, ENCRYPTION, "EncryptedData");
        var content = CONTENTS.get(algorithm(data));
        if (content == null) {
            throw new IllegalArgumentException("expected content encrypted by AES in GCM or CBC mode");
        }
        if (!content.isAuthenticated() && !isSigned) {
            throw new IllegalArgumentException("expected AES-GCM: AES-CBC is accepted in a signed response only");
        }
        var wrapped = only(encrypted, ENCRYPTION, "EncryptedKey");
        requireSafe(wrapped);
        try {
            return SafeXml.parse(opened(data, wrapped, key, content.keyBytes())).getDocumentElement();
        } catch (XMLEncryptionException | RuntimeException failure) {
            // The library does not check lengths: truncated or missing input causes a RuntimeException.
            throw unreadable(failure);
        }
    }

    private static byte[] opened(Element data, Element wrapped, PrivateKey key, int keyBytes)
            throws XMLEncryptionException {
        Init.init();
        var unwrapping = cipher(XMLCipher.UNWRAP_MODE, key);
        var secret = unwrapping.decryptKey(
                unwrapping.loadEncryptedKey(wrapped.getOwnerDocument(), wrapped), algorithm(data));
        if (secret.getEncoded().length != keyBytes) {
            throw unreadable(null);
        }
        return cipher(XMLCipher.DECRYPT_MODE, secret).decryptToByteArray(data);
    }

    /** A cipher that loads no external resources. */
    private static XMLCipher cipher(int mode, Key key) throws XMLEncryptionException {
        var cipher = XMLCipher.getInstance();
        cipher.setSecureValidation(true);
        cipher.init(mode, key);
        return cipher;
    }

    private static IllegalArgumentException unreadable(Exception cause) {
        return new IllegalArgumentException("the assertion is not encrypted with this server's key", cause);
    }

    /** Accepts RSA-OAEP alone: the older padding is open to oracle attacks with repeated requests. */
    private static void requireSafe(Element wrapped) {
        if (!WRAPPINGS.contains(algorithm(wrapped))) {
            throw new IllegalArgumentException("expected a key encrypted by RSA-OAEP");
        }
        var method = only(wrapped, ENCRYPTION, "EncryptionMethod");
        requireKnown(method, XMLSignature.XMLNS, "DigestMethod", DIGESTS);
        requireKnown(method, ENCRYPTION_11, "MGF", MASKS);
    }

    private static void requireKnown(Element method, String namespace, String name, Set<String> known) {
        var found = method.getElementsByTagNameNS(namespace, name);
        for (var index = 0; index < found.getLength(); index++) {
            if (!known.contains(((Element) found.item(index)).getAttribute("Algorithm"))) {
                throw new IllegalArgumentException("expected RSA-OAEP with SHA-1 or SHA-2");
            }
        }
    }

    /** Algorithm of the method that is a direct child of the element, not of a nested one. */
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

    private static Element only(Element parent, String namespace, String name) {
        var found = parent.getElementsByTagNameNS(namespace, name);
        if (found.getLength() != 1) {
            throw new IllegalArgumentException("expected one " + name);
        }
        return (Element) found.item(0);
    }
}
