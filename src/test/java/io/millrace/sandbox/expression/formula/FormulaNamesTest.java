package io.millrace.sandbox.expression.formula;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The console offers exactly the existing formulas. */
final class FormulaNamesTest {
    private static final Pattern OFFERED = Pattern.compile("'(?<name>\\w+)\\([^']*\\)'");

    @Test
    void theConsoleOffersEveryFormula_andNoOther() throws IOException {
        // When
        var offered = new TreeSet<String>();
        OFFERED.matcher(Files.readString(Path.of("src/main/console/builder/data/formulas.ts")))
                .results()
                .forEach(each -> offered.add(each.group("name")));

        // Then
        assertThat(offered).isEqualTo(new TreeSet<>(FormulaFunctions.names()));
    }
}
