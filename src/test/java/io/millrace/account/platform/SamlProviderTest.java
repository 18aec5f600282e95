package io.millrace.account.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.base.core.Json;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;

/** Formats of the certificate of an identity provider. */
class SamlProviderTest {
    private static final String METADATA = """
            <EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="idp"><IDPSSODescriptor \
            protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><SingleSignOnService \
            Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example.com/in"/>\
            </IDPSSODescriptor></EntityDescriptor>""";

    private static X509Certificate some() throws Exception {
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init((KeyStore) null);
        return Collections.max(
                List.of(((X509TrustManager) factory.getTrustManagers()[0]).getAcceptedIssuers()),
                Comparator.comparing(X509Certificate::getNotAfter));
    }

    private static X509Certificate read(String certificate) {
        return SamlProvider.of(Json.object().put("idpMetadata", METADATA).put("idpCertificate", certificate))
                .certificate();
    }

    @Test
    void readsPem_bareBase64_andPemAfterAPreamble() throws Exception {
        var certificate = some();
        var bare = Base64.getEncoder().encodeToString(certificate.getEncoded());
        var lines = Base64.getMimeEncoder().encodeToString(certificate.getEncoded());
        var pem = "-----BEGIN CERTIFICATE-----\n" + lines + "\n-----END CERTIFICATE-----\n";

        assertThat(read(bare)).isEqualTo(certificate);
        assertThat(read(lines)).isEqualTo(certificate);
        assertThat(read(pem)).isEqualTo(certificate);
        assertThat(read(pem + pem)).isEqualTo(certificate);
        assertThat(read("Bag Attributes\n  friendlyName: idp\n" + pem)).isEqualTo(certificate);
    }

    @Test
    void refusesOtherCharacters_namingTheField() throws Exception {
        var bare = Base64.getEncoder().encodeToString(some().getEncoded());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(bare.substring(0, 8) + "*" + bare.substring(8)))
                .withMessageContaining("expected Base64 in idpCertificate");
    }
}
