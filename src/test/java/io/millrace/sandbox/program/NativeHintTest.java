package io.millrace.sandbox.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.sandbox.code.CodeProgram;
import io.millrace.sandbox.code.NativePackages;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NativeHintTest {
    private static final CodeProgram PROGRAM =
            new CodeProgram(CodeProgram.Form.NODE, "", Optional.empty(), List.of("sharp@0.34.0"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Could not load the \"sharp\" module using the linux-x64 runtime\n"
                        + "- npm install --include=optional sharp",
                "Access to this API has been restricted",
                "Cannot load native addon because loading addons is disabled.",
                "Cannot find module './build/Release/bcrypt_lib.node'",
                "No native build was found (node-gyp-build)"
            })
    void namesTheSetting_whenNativeCodeMayBeMissing(String message) {
        assertThat(NativeHint.of(message, PROGRAM))
                .startsWith(message)
                .contains("AP_NODE_NATIVE_PACKAGES", "sharp@0.34.0");
    }

    @Test
    void leavesOtherErrorsAlone() {
        var allowed = PROGRAM.beside(new NativePackages("platform", "hash", List.of("sharp")));
        var plain = new CodeProgram(CodeProgram.Form.NODE, "", Optional.empty(), List.of());
        var restricted = "Access to this API has been restricted";

        assertThat(NativeHint.of("x is not a function", PROGRAM)).isEqualTo("x is not a function");
        assertThat(NativeHint.of(restricted, allowed)).isEqualTo(restricted);
        assertThat(NativeHint.of(restricted, plain)).isEqualTo(restricted);
    }
}
