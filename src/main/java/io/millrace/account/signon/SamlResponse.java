package io.millrace.account.signon;

import io.millrace.account.identity.IdentityProvider;
import io.millrace.account.identity.provisioning.ExternalPerson;
import io.millrace.account.platform.SamlProvider;
import io.millrace.base.core.text.Base64Text;
import io.millrace.base.core.text.SafeXml;
import java.security.PrivateKey;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.w3c.dom.Element;

/**
 * A verified response of a SAML identity provider (SAML 2.0 core 2 and 3, profiles 4.1.4). Pure.
 *
 * @param inResponseTo id of the request; the caller must still verify that it is pending, and consume it
 * @param sessionEnd end of the session at the identity provider; a session here must not outlive it
 */
record SamlResponse(String inResponseTo, ExternalPerson person, Optional<Instant> sessionEnd) {
    private static final int TEXT_LENGTH_MAX = 512 * 1024;
    private static final Duration SKEW = Duration.ofMinutes(2);
    private static final String PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol";
    private static final String ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion";
    private static final String SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success";
    private static final String BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer";
    private static final String CLAIMS = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/";

    private static final List<String> EMAIL_NAMES =
            List.of("email", "mail", "emailAddress", CLAIMS + "emailaddress", "urn:oid:0.9.2342.19200300.100.1.3");
    private static final List<String> FIRST_NAMES =
            List.of("firstName", "givenName", "first_name", CLAIMS + "givenname", "urn:oid:2.5.4.42");
    private static final List<String> LAST_NAMES =
            List.of("lastName", "surname", "last_name", "sn", CLAIMS + "surname", "urn:oid:2.5.4.4");

    /**
     * Parses and verifies a response from a browser.
     *
     * @param text Base64 of the document
     * @param key decryption key; empty before it was generated
     * @throws IllegalArgumentException when the response is invalid
     */
    static SamlResponse read(
            String text,
            SamlProvider provider,
            SamlRequest.ServiceProvider serviceProvider,
            Optional<PrivateKey> key,
            Instant now) {
        if (text.length() > TEXT_LENGTH_MAX) {
            throw new IllegalArgumentException("the response is too large");
        }
        var document = SafeXml.parse(Base64Text.decoded("SAMLResponse", text));
        var response = document.getDocumentElement();
        require(is(response, PROTOCOL, "Response"), "expected a Response of SAML 2.0");
        require("2.0".equals(response.getAttribute("Version")), "expected version 2.0");
        require(
                serviceProvider.answerUrl().equals(response.getAttribute("Destination")),
                "expected this server's address as Destination");
        checkStatus(response);
        SamlSignature.requireUniqueIds(document);
        var signer = provider.certificate().getPublicKey();
        var isWholeSigned = SamlSignature.covers(response, signer);
        var assertion = onlyAssertion(response, key, isWholeSigned);
        var isAssertionSigned = SamlSignature.covers(assertion, signer);
        require(isWholeSigned || isAssertionSigned, "expected a signed response or assertion, found no signature");
        checkIssuers(response, assertion, provider);
        var inResponseTo = response.getAttribute("InResponseTo");
        require(!inResponseTo.isEmpty(), "expected InResponseTo, found none");
        var subject = only(assertion, "Subject");
        checkSubject(subject, inResponseTo, serviceProvider, now);
        checkConditions(only(assertion, "Conditions"), serviceProvider, now);
        return new SamlResponse(inResponseTo, person(assertion, subject, provider), sessionEnd(assertion, now));
    }

    private static void checkStatus(Element response) {
        var codes = children(response, PROTOCOL, "Status")
                .flatMap(status -> children(status, PROTOCOL, "StatusCode"))
                .toList();
        require(
                codes.size() == 1 && SUCCESS.equals(codes.getFirst().getAttribute("Value")),
                "the identity provider reports that the sign-in failed");
    }

    /** The only such element in the whole document, at its required place, in the clear or encrypted. */
    private static Element onlyAssertion(Element response, Optional<PrivateKey> key, boolean isSigned) {
        var clear = response.getElementsByTagNameNS(ASSERTION, "Assertion").getLength();
        var encrypted =
                response.getElementsByTagNameNS(ASSERTION, "EncryptedAssertion").getLength();
        var own = Stream.concat(
                        children(response, ASSERTION, "Assertion"), children(response, ASSERTION, "EncryptedAssertion"))
                .toList();
        require(clear + encrypted == 1 && own.size() == 1, "expected one assertion");
        return encrypted == 0 ? own.getFirst() : decrypted(own.getFirst(), key, isSigned);
    }

    /**
     * Returns the decrypted element in a separate document, so that surrounding elements cannot be taken for a part of it.
     */
    private static Element decrypted(Element encrypted, Optional<PrivateKey> key, boolean isSigned) {
        require(
                key.isPresent(),
                "the assertion is encrypted, but this server's key was never requested; load the metadata of this server again");
        var assertion = SamlEncryption.open(encrypted, key.get(), isSigned);
        require(is(assertion, ASSERTION, "Assertion"), "expected an assertion in the encrypted content");
        require(
                assertion.getElementsByTagNameNS(ASSERTION, "Assertion").getLength() == 0,
                "expected one assertion in the encrypted content");
        SamlSignature.requireUniqueIds(assertion.getOwnerDocument());
        return assertion;
    }

    private static void checkIssuers(Element response, Element assertion, SamlProvider provider) {
        require(
                provider.entityId().equals(text(only(assertion, "Issuer"))),
                "the issuer of the assertion is not the configured identity provider");
        require(
                children(response, ASSERTION, "Issuer")
                        .allMatch(issuer -> provider.entityId().equals(text(issuer))),
                "the issuer of the response is not the configured identity provider");
    }

    private static void checkSubject(
            Element subject, String inResponseTo, SamlRequest.ServiceProvider serviceProvider, Instant now) {
        var confirmed = children(subject, ASSERTION, "SubjectConfirmation")
                .filter(confirmation -> BEARER.equals(confirmation.getAttribute("Method")))
                .flatMap(confirmation -> children(confirmation, ASSERTION, "SubjectConfirmationData"))
                .anyMatch(data -> serviceProvider.answerUrl().equals(data.getAttribute("Recipient"))
                        && inResponseTo.equals(data.getAttribute("InResponseTo"))
                        && !data.hasAttribute("NotBefore")
                        && data.hasAttribute("NotOnOrAfter")
                        && isBefore(now, data.getAttribute("NotOnOrAfter")));
        require(
                confirmed,
                "expected a bearer confirmation with this server as recipient, this request and a time that has not passed");
    }

    private static void checkConditions(Element conditions, SamlRequest.ServiceProvider serviceProvider, Instant now) {
        require(
                !conditions.hasAttribute("NotBefore")
                        || !now.plus(SKEW).isBefore(instant(conditions.getAttribute("NotBefore"))),
                "the assertion is not valid yet");
        require(
                !conditions.hasAttribute("NotOnOrAfter") || isBefore(now, conditions.getAttribute("NotOnOrAfter")),
                "the assertion has expired");
        var restrictions =
                children(conditions, ASSERTION, "AudienceRestriction").toList();
        require(
                !restrictions.isEmpty()
                        && restrictions.stream()
                                .allMatch(restriction -> children(restriction, ASSERTION, "Audience")
                                        .anyMatch(audience ->
                                                serviceProvider.entityId().equals(text(audience)))),
                "the assertion is for another audience");
    }

    /** The earliest end of the sessions at the provider; empty without one. */
    private static Optional<Instant> sessionEnd(Element assertion, Instant now) {
        var end = children(assertion, ASSERTION, "AuthnStatement")
                .filter(statement -> statement.hasAttribute("SessionNotOnOrAfter"))
                .map(statement -> instant(statement.getAttribute("SessionNotOnOrAfter")))
                .min(Comparator.naturalOrder());
        require(end.isEmpty() || now.isBefore(end.get()), "the session at the identity provider has ended");
        return end;
    }

    private static ExternalPerson person(Element assertion, Element subject, SamlProvider provider) {
        var values = attributes(assertion);
        var nameId = children(subject, ASSERTION, "NameID").findFirst().map(SamlResponse::text);
        return new ExternalPerson(
                IdentityProvider.SAML,
                value(values, provider.email(), EMAIL_NAMES)
                        .or(() -> nameId.filter(text -> provider.email().isEmpty()))
                        .orElse(""),
                value(values, provider.firstName(), FIRST_NAMES).orElse(""),
                value(values, provider.lastName(), LAST_NAMES).orElse(""),
                Optional.empty());
    }

    private static Map<String, String> attributes(Element assertion) {
        var values = new HashMap<String, String>();
        children(assertion, ASSERTION, "AttributeStatement")
                .flatMap(statement -> children(statement, ASSERTION, "Attribute"))
                .forEach(attribute -> children(attribute, ASSERTION, "AttributeValue")
                        .findFirst()
                        .ifPresent(value -> values.putIfAbsent(attribute.getAttribute("Name"), text(value))));
        return values;
    }

    private static Optional<String> value(Map<String, String> values, String named, List<String> usual) {
        var names = named.isEmpty() ? usual : List.of(named);
        return names.stream()
                .map(values::get)
                .filter(text -> text != null && !text.isEmpty())
                .findFirst();
    }

    private static Element only(Element parent, String name) {
        var found = children(parent, ASSERTION, name).toList();
        require(found.size() == 1, "expected one " + name);
        return found.getFirst();
    }

    private static Stream<Element> children(Element parent, String namespace, String name) {
        var found = new ArrayList<Element>();
        for (var child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element element && is(element, namespace, name)) {
                found.add(element);
            }
        }
        return found.stream();
    }

    private static boolean is(Element element, String namespace, String name) {
        return namespace.equals(element.getNamespaceURI()) && name.equals(element.getLocalName());
    }

    /** The whole text without comments: a comment must not truncate a name. */
    private static String text(Element element) {
        return element.getTextContent().strip();
    }

    private static boolean isBefore(Instant now, String end) {
        return now.minus(SKEW).isBefore(instant(end));
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException malformed) {
            throw new IllegalArgumentException("expected a time in UTC", malformed);
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
