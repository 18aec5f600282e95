package io.millrace.piece.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class FileAddressTest {
    private static final String HERE = "https://flows.example";
    private static final String ID = "abcdefghijklmnopqrstu";

    @Test
    void readsWhatItWrites() {
        var url = FileAddress.url(HERE, ID, "a.1.b-_");

        assertThat(url).isEqualTo("https://flows.example/api/v1/files/" + ID + "?token=a.1.b-_");
        assertThat(FileAddress.parse(HERE, url)).contains(new FileAddress(Optional.of(ID), "a.1.b-_"));
    }

    @Test
    void readsTheOlderForm() {
        assertThat(FileAddress.parse(HERE, HERE + "/api/v1/step-files/signed?token=a.1.b"))
                .contains(new FileAddress(Optional.empty(), "a.1.b"));
    }

    @Test
    void leavesOtherUrlsAlone() {
        for (var url : new String[] {
            "https://flows.example.evil/api/v1/files/" + ID + "?token=a",
            "http://flows.example/api/v1/files/" + ID + "?token=a",
            HERE + "/api/v1/files/short?token=a",
            HERE + "/api/v1/files/" + ID,
            HERE + "/api/v1/flows/" + ID + "?token=a",
            HERE + "/api/v1/files/" + ID + "?token=a%20b",
        }) {
            assertThat(FileAddress.parse(HERE, url)).as(url).isEmpty();
        }
    }
}
