package io.millrace.account.platform;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlatformNamesTest {
    @ParameterizedTest
    @CsvSource({
        "x@example.com, Example",
        "x@mail.example.com, Example",
        "x@example.co.uk, Example",
        "x@eu.example.com.br, Example",
        "x@acme-tools.io, Acme Tools",
        "x@co.uk, Co",
        "x@xn--mller-kva.de, Müller",
        "x@--.de, --",
    })
    void namesPlatformAfterCompany_whenDomainIsACompanys(String email, String company) {
        // When
        var names = PlatformNames.of(email, "Ahmad");

        // Then
        assertThat(names).isEqualTo(new PlatformNames(company, company + "'s Project"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ahmad.tash@gmail.com",
                "a@yahoo.co.uk",
                "a@outlook.de",
                "a@web.de",
                "a@me.com",
                "a@proton.me",
                "a@uol.com.br"
            })
    void namesPlatformAfterPerson_whenDomainIsAConsumerProviders(String email) {
        // When
        var names = PlatformNames.of(email, "Ahmad");

        // Then
        assertThat(names).isEqualTo(new PlatformNames("Ahmad's Platform", "Ahmad's Project"));
    }
}
