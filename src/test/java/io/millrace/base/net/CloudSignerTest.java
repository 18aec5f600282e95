package io.millrace.base.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Published examples of Amazon's Signature Version 4. */
class CloudSignerTest {
    private static final WebAddress TEXT = WebAddress.parse("https://examplebucket.s3.amazonaws.com/test.txt");
    private static final Instant NOW = Instant.parse("2013-05-24T00:00:00Z");
    private static final CloudSigner SIGNER = new CloudSigner(
            "us-east-1", "s3", CloudKey.lasting("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"));

    @Test
    void signsInTheHeader() {
        // When
        var headers = SIGNER.headers("GET", TEXT, Map.of("Range", "bytes=0-9"), new byte[0], NOW);

        // Then
        assertThat(headers.get("authorization"))
                .isEqualTo("AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
                        + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
                        + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
        assertThat(headers).containsEntry("x-amz-date", "20130524T000000Z").doesNotContainKey("host");
    }

    @Test
    void signsInTheAddress() {
        // When
        var query = SIGNER.query("GET", TEXT, Map.of(), Map.of(), Duration.ofDays(1), NOW);

        // Then
        assertThat(query)
                .isEqualTo("X-Amz-Algorithm=AWS4-HMAC-SHA256"
                        + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
                        + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
                        + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404");
    }

    @Test
    void signsTheQueryOfTheAddress_inOrder() {
        // Given
        var bucket = "https://examplebucket.s3.amazonaws.com/";

        // When
        var headers =
                SIGNER.headers("GET", WebAddress.parse(bucket + "?prefix=J&max-keys=2"), Map.of(), new byte[0], NOW);

        // Then
        assertThat(headers.get("authorization"))
                .endsWith("Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
    }

    /** Signature of botocore: the name of a model contains a colon. */
    @Test
    void encodesThePathOnceMore_forServicesOtherThanS3() {
        // Given
        var signer = new CloudSigner(
                "eu-north-1", "bedrock", CloudKey.lasting("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"));
        var model = WebAddress.parse("https://bedrock-runtime.eu-north-1.amazonaws.com"
                + "/model/anthropic.claude-3-haiku-20240307-v1%3A0/converse-stream");
        var body = "{\"messages\":[]}".getBytes(StandardCharsets.UTF_8);

        // When
        var headers = signer.headers(
                "POST", model, Map.of("content-type", "application/json"), body, Instant.parse("2026-03-09T12:34:56Z"));

        // Then
        assertThat(headers.get("authorization"))
                .endsWith("SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date, "
                        + "Signature=f9908a35f1e8a1b6b5b9a714c3d30a7c2c6c72f67c8c1877b4e869f65e95cc27");
    }

    @Test
    void encodesEveryByteThatIsNotPlain() {
        assertThat(CloudSigner.encoded("a b/ü~*")).isEqualTo("a%20b%2F%C3%BC~%2A");
    }
}
