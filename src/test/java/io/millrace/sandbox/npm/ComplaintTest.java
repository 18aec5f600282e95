package io.millrace.sandbox.npm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComplaintTest {
    private static final Path WORK = Path.of("/var/lib/millrace/pieces/build");
    private static final Path DATA = Path.of("/var/lib/millrace");

    @Test
    void showsNoPathOfThisHost() {
        var text = "npm error code ENOENT\n"
                + "npm error open '/var/lib/millrace/pieces/build/a.json'\n"
                + "npm error in /var/lib/millrace\n"
                + "npm error see /var/lib/millrace/script\n"
                + "npm error A complete log of this run can be found in: /var/lib/millrace/pieces/build/home/_logs/x.log\n";

        assertThat(Complaint.of(text, List.of(WORK, DATA)))
                .isEqualTo("npm error code ENOENT\nnpm error open 'a.json'\nnpm error in .\nnpm error see script");
    }

    @Test
    void namesTheReasonInOneSentence_whereTheCodeIsKnown() {
        var missing =
                "npm error code E404\nnpm error 404 Not Found - GET http://localhost/x - Not found\nnpm error 404  'x@latest' is not there";

        assertThat(Complaint.reason(1, missing)).isEqualTo("the registry has no package of this name and version");
        assertThat(Complaint.reason(1, "npm ERR! code ECONNREFUSED\nnpm ERR! x"))
                .isEqualTo("the registry cannot be reached: connection refused");
        assertThat(Complaint.reason(1, "npm error code EUNKNOWN\nnpm error x"))
                .isEqualTo("npm ended with 1: npm error code EUNKNOWN\nnpm error x");
        assertThat(Complaint.reason(1, "no code E404 at the start of a line"))
                .isEqualTo("npm ended with 1: no code E404 at the start of a line");
        assertThat(Complaint.reason(1, "")).isEqualTo("npm ended with 1: ");
    }

    @Test
    void showsNoCharacterThatSteersATerminal_andIsCut() {
        assertThat(Complaint.of("a\u001b[2Jb\r\u0000c\n\n\u202ed", List.of())).isEqualTo("a [2Jb\nc\nd");
        assertThat(Complaint.of("x".repeat(5_000), List.of())).hasSize(500);
    }
}
