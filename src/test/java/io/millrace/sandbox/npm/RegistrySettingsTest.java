package io.millrace.sandbox.npm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Filtering of an operator's package manager settings: registries, credentials and certificates. */
class RegistrySettingsTest {
    private static final List<String> LINES = List.of(
            "registry=https://ours.example.com/npm/",
            "@acme:registry=https://acme.example.com/",
            "//ours.example.com/npm/:_authToken=flour",
            "git=/tmp/evil",
            "script-shell = /tmp/evil",
            "node-options=--require=/tmp/evil",
            "//ours.example.com/:keyfile=/etc/shadow",
            "prefix=/");

    @Test
    void keepsRegistriesAndCredentials_andNothingElse() {
        var settings = RegistrySettings.of(Optional.empty(), LINES);

        assertThat(settings.registry()).contains("https://ours.example.com/npm/");
        assertThat(settings.lines())
                .containsExactly(
                        "@acme:registry=https://acme.example.com/", "//ours.example.com/npm/:_authToken=flour");
        assertThat(settings.addresses()).containsExactly("https://ours.example.com/npm/", "https://acme.example.com/");
        assertThat(settings.toString()).doesNotContain("flour");
    }

    @Test
    void keepsTheCertificatesOfAFileOfAuthorities_andNothingElseOfIt(@TempDir Path folder) throws IOException {
        // Given
        var one = "-----BEGIN CERTIFICATE-----\nTUlMTA==\nUkFDRQ==\n-----END CERTIFICATE-----";
        var file = Files.writeString(
                folder.resolve("ours.pem"),
                "# ours\n" + one + "\n-----BEGIN PRIVATE KEY-----\nflour\n-----END PRIVATE KEY-----\n" + one + "\n");

        // When
        var settings = RegistrySettings.of(Optional.empty(), List.of("cafile = \"" + file + "\""));
        var missing = RegistrySettings.of(Optional.empty(), List.of("cafile=" + folder.resolve("none.pem")));

        // Then
        var kept = "ca[]=\"" + one.replace("\n", "\\n") + "\"";
        assertThat(settings.lines()).containsExactly(kept, kept);
        assertThat(missing.lines()).isEmpty();
    }

    @Test
    void prefersTheSettingOfThisServer() {
        assertThat(RegistrySettings.of(Optional.of("https://set.example.com/"), LINES)
                        .registry())
                .contains("https://set.example.com/");
        assertThat(RegistrySettings.of(Optional.empty(), List.of()).registry()).isEmpty();
    }
}
