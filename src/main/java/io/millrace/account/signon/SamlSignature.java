package io.millrace.account.signon;

import java.security.PublicKey;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.xml.crypto.MarshalException;
import javax.xml.crypto.dsig.Transform;
import javax.xml.crypto.dsig.XMLSignature;
import javax.xml.crypto.dsig.XMLSignatureException;
import javax.xml.crypto.dsig.XMLSignatureFactory;
import javax.xml.crypto.dsig.dom.DOMValidateContext;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Verifies signatures of SAML documents against signature wrapping: a signature counts only for its parent element, by a
 * single reference to that element, whose id must be unique in the document.
 */
final class SamlSignature {
    private static final String SECURE_VALIDATION = "org.jcp.xml.dsig.secureValidation";
    private static final Set<String> METHODS = Set.of(
            "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
            "http://www.w3.org/2001/04/xmldsig-more#rsa-sha384",
            "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512",
            "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256",
            "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384",
            "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512");
    private static final Set<String> DIGESTS = Set.of(
            "http://www.w3.org/2001/04/xmlenc#sha256",
            "http://www.w3.org/2001/04/xmldsig-more#sha384",
            "http://www.w3.org/2001/04/xmlenc#sha512");
    private static final Set<String> TRANSFORMS =
            Set.of(Transform.ENVELOPED, "http://www.w3.org/2001/10/xml-exc-c14n#");

    private SamlSignature() {}

    /**
     * True when the element has an enveloped signature of this key.
     *
     * @throws IllegalArgumentException when its signature is invalid
     */
    static boolean covers(Element element, PublicKey key) {
        var signature = signatureIn(element);
        if (signature.isEmpty()) {
            return false;
        }
        var context = new DOMValidateContext(key, signature.get());
        context.setProperty(SECURE_VALIDATION, true);
        context.setIdAttributeNS(element, null, "ID");
        try {
            var parsed = XMLSignatureFactory.getInstance("DOM").unmarshalXMLSignature(context);
            check(parsed, element);
            if (!parsed.validate(context)) {
                throw new IllegalArgumentException("a signature is invalid");
            }
            return true;
        } catch (MarshalException | XMLSignatureException malformed) {
            throw new IllegalArgumentException("a signature is malformed", malformed);
        }
    }

    /** Rejects documents with a repeated id, for any name of the id attribute. */
    static void requireUniqueIds(Document document) {
        var seen = new HashSet<String>();
        var all = document.getElementsByTagName("*");
        for (var index = 0; index < all.getLength(); index++) {
            if (all.item(index) instanceof Element element) {
                for (var name : List.of("ID", "Id", "id")) {
                    if (element.hasAttribute(name) && !seen.add(element.getAttribute(name))) {
                        throw new IllegalArgumentException("two elements have the same id");
                    }
                }
            }
        }
    }

    private static Optional<Element> signatureIn(Element element) {
        Optional<Element> found = Optional.empty();
        for (var child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (isSignature(child)) {
                if (found.isPresent()) {
                    throw new IllegalArgumentException("an element has two signatures");
                }
                found = Optional.of((Element) child);
            }
        }
        return found;
    }

    private static boolean isSignature(Node node) {
        return node instanceof Element element
                && XMLSignature.XMLNS.equals(element.getNamespaceURI())
                && "Signature".equals(element.getLocalName());
    }

    private static void check(XMLSignature signature, Element element) {
        var info = signature.getSignedInfo();
        var id = element.getAttribute("ID");
        if (!METHODS.contains(info.getSignatureMethod().getAlgorithm())
                || info.getReferences().size() != 1
                || !signature.getObjects().isEmpty()) {
            throw new IllegalArgumentException("the algorithm of a signature is not supported");
        }
        var reference = info.getReferences().getFirst();
        var transforms = reference.getTransforms();
        if (id.isEmpty()
                || !("#" + id).equals(reference.getURI())
                || !DIGESTS.contains(reference.getDigestMethod().getAlgorithm())
                || transforms.size() > 2
                || !transforms.stream().allMatch(each -> TRANSFORMS.contains(each.getAlgorithm()))) {
            throw new IllegalArgumentException("a signature does not reference its parent element");
        }
    }
}
