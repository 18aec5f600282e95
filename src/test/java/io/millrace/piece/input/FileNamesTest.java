package io.millrace.piece.input;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileNamesTest {
    @ParameterizedTest(name = "{0}, {1}, {2} -> {3}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "-", textBlock = """
            attachment; filename="a b.txt"                              | /x       | text/plain | a b.txt
            attachment; filename="a.txt"; filename*=UTF-8''%C3%A4.txt   | /x       | -          | ä.txt
            attachment; filename="../../etc/passwd"                     | /x       | -          | passwd
            -                                                           | /d/r.pdf | text/plain | r.pdf
            -                                                           | /d/a+b%20c.pdf | -    | a+b c.pdf
            -                                                           | /d/r     | image/png; q=1 | unknown.png
            -                                                           | /        | application/odd | unknown.bin
            -                                                           | /        | -          | unknown.bin
            """)
    void namesADownload(String contentDisposition, String path, String contentType, String expected) {
        assertThat(FileNames.of(contentDisposition, path, contentType)).isEqualTo(expected);
    }
}
