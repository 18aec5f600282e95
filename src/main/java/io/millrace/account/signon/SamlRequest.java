package io.millrace.account.signon;

import io.millrace.account.platform.SamlProvider;
import io.millrace.base.core.Json;
import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.zip.Deflater;

/** This server as a service provider: its metadata and its requests (SAML 2.0 core 3.4, bindings 3.4). */
final class SamlRequest {
    private SamlRequest() {}

    /**
     * Addresses of the service provider.
     *
     * @param entityId address of its metadata, and its name
     * @param answerUrl endpoint for responses
     */
    record ServiceProvider(String entityId, String answerUrl) {
        static ServiceProvider at(String publicUrl) {
            var base = publicUrl + "/api/v1/authn/saml/";
            return new ServiceProvider(base + "metadata", base + "acs");
        }
    }

    /**
     * Metadata for the administrator of the identity provider.
     *
     * @param certificate of the key to which assertions may be encrypted
     */
    static String metadata(ServiceProvider serviceProvider, byte[] certificate) {
        return """
                <?xml version="1.0" encoding="UTF-8"?>
                <md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="%s">
                  <md:SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" \
                protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
                    <md:KeyDescriptor use="encryption">
                      <ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>%s\
                </ds:X509Certificate></ds:X509Data></ds:KeyInfo>
                      <md:EncryptionMethod Algorithm="http://www.w3.org/2009/xmlenc11#aes256-gcm"/>
                      <md:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p"/>
                    </md:KeyDescriptor>
                    <md:NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</md:NameIDFormat>
                    <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="%s" \
                index="0" isDefault="true"/>
                  </md:SPSSODescriptor>
                </md:EntityDescriptor>
                """.formatted(
                        escaped(serviceProvider.entityId()),
                        Base64.getEncoder().encodeToString(certificate),
                        escaped(serviceProvider.answerUrl()));
    }

    static String address(SamlProvider provider, ServiceProvider serviceProvider, String id, Instant now) {
        var request = """
                <samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="%s" Version="2.0" \
                IssueInstant="%s" Destination="%s" ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" \
                AssertionConsumerServiceURL="%s"><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">%s\
                </saml:Issuer><samlp:NameIDPolicy AllowCreate="true" \
                Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"/></samlp:AuthnRequest>""".formatted(
                        id,
                        Json.timestamp(now),
                        escaped(provider.signInUrl()),
                        escaped(serviceProvider.answerUrl()),
                        escaped(serviceProvider.entityId()));
        var url = provider.signInUrl();
        return url + (url.contains("?") ? "&" : "?") + "SAMLRequest="
                + URLEncoder.encode(Base64.getEncoder().encodeToString(deflated(request)), StandardCharsets.UTF_8);
    }

    private static byte[] deflated(String text) {
        try (var deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true)) {
            deflater.setInput(text.getBytes(StandardCharsets.UTF_8));
            deflater.finish();
            var bytes = new ByteArrayOutputStream();
            var part = new byte[1024];
            while (!deflater.finished()) {
                bytes.write(part, 0, deflater.deflate(part));
            }
            return bytes.toByteArray();
        }
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
