package io.millrace.account.platform;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.CutText;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.base.core.text.Base64Text;
import io.millrace.base.core.text.SafeXml;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.regex.Pattern;
import org.w3c.dom.Element;

/**
 * A platform's own identity provider with SAML 2.0 (contract admin-api 18.2, 32.8).
 *
 * @param entityId entity id of the provider
 * @param signInUrl address for the binding HTTP-Redirect
 * @param certificate pinned signing certificate; keys in the metadata are ignored
 * @param email attribute with the address; empty for the usual ones
 * @param firstName attribute with the first name; empty for the usual ones
 * @param lastName attribute with the last name; empty for the usual ones
 */
public record SamlProvider(
        String entityId,
        String signInUrl,
        X509Certificate certificate,
        String email,
        String firstName,
        String lastName) {
    private static final int TEXT_LENGTH_MAX = 256 * 1024;
    private static final Pattern PEM = Pattern.compile("-----BEGIN [A-Z ]{1,40}-----([^-]*)-----END [A-Z ]{1,40}-----");
    private static final Pattern PEM_LINE = Pattern.compile("-----[A-Z ]{1,40}-----");
    private static final int NAME_LENGTH_MAX = 500;
    private static final String METADATA = "urn:oasis:names:tc:SAML:2.0:metadata";
    private static final String REDIRECT = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect";

    static ObjectNode read(Fields saml) {
        var json = Json.object()
                .put("idpMetadata", saml.text("idpMetadata", 1, TEXT_LENGTH_MAX))
                .put("idpCertificate", saml.text("idpCertificate", 1, TEXT_LENGTH_MAX));
        if (saml.has("attributeMapping")) {
            var mapping = saml.inner("attributeMapping");
            var names = json.putObject("attributeMapping");
            for (var name : new String[] {"email", "firstName", "lastName"}) {
                mapping.optionalText(name).ifPresent(text -> names.put(name, cut(text)));
            }
        }
        if (saml.isSound()) {
            refuse(saml, "idpMetadata", () -> metadata(json));
            refuse(saml, "idpCertificate", () -> certificate(json));
        }
        return json;
    }

    private static String cut(String text) {
        return CutText.of(text, NAME_LENGTH_MAX).strip();
    }

    private static void refuse(Fields saml, String name, Runnable reading) {
        try {
            reading.run();
        } catch (IllegalArgumentException malformed) {
            saml.refuse(name, "Invalid input: " + malformed.getMessage());
        }
    }

    static SamlProvider of(JsonNode kept) {
        var names = kept.path("attributeMapping");
        var metadata = metadata(kept);
        return new SamlProvider(
                metadata.entityId(),
                metadata.signInUrl(),
                certificate(kept),
                names.path("email").asText(""),
                names.path("firstName").asText(""),
                names.path("lastName").asText(""));
    }

    private record Metadata(String entityId, String signInUrl) {}

    private static Metadata metadata(JsonNode kept) {
        var document = SafeXml.parse(kept.path("idpMetadata").asText().strip().getBytes(StandardCharsets.UTF_8));
        var root = document.getDocumentElement();
        var entityId = root.getAttribute("entityID");
        if (!METADATA.equals(root.getNamespaceURI()) || !"EntityDescriptor".equals(root.getLocalName())) {
            throw new IllegalArgumentException("expected an EntityDescriptor of SAML 2.0");
        }
        if (entityId.isBlank()) {
            throw new IllegalArgumentException("expected an entityID");
        }
        var services = root.getElementsByTagNameNS(METADATA, "SingleSignOnService");
        for (var index = 0; index < services.getLength(); index++) {
            if (services.item(index) instanceof Element service
                    && REDIRECT.equals(service.getAttribute("Binding"))
                    && isWeb(service.getAttribute("Location"))) {
                return new Metadata(entityId, service.getAttribute("Location"));
            }
        }
        throw new IllegalArgumentException("expected a SingleSignOnService with the binding HTTP-Redirect");
    }

    private static boolean isWeb(String location) {
        try {
            var address = URI.create(location);
            return ("https".equals(address.getScheme()) || "http".equals(address.getScheme()))
                    && address.getHost() != null
                    && address.getFragment() == null;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }

    /** PEM, of which the first certificate is read, or the bare Base64 that administrators cut out of metadata. */
    private static X509Certificate certificate(JsonNode kept) {
        var text = kept.path("idpCertificate").asText();
        var block = PEM.matcher(text);
        var bytes = Base64Text.decoded(
                "idpCertificate",
                block.find() ? block.group(1) : PEM_LINE.matcher(text).replaceAll(""));
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(bytes));
        } catch (CertificateException malformed) {
            throw new IllegalArgumentException("expected an X.509 certificate in PEM", malformed);
        }
    }
}
