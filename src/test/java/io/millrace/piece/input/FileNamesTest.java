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
            attachment; filename=a b.txt                                | /x       | -          | a b.txt
            attachment; filename*=iso-8859-1''M%FCller.csv              | /x       | -          | Müller.csv
            attachment; filename*=UTF-8''50%.csv                        | /x       | -          | 50%.csv
            attachment; filename*0=long; filename*1=name.txt            | /x       | -          | longname.txt
            filename="no type.txt"                                      | /x       | -          | no type.txt
            attachment; filename="MÃ¼ller.csv"                          | /x       | -          | Müller.csv
            attachment; filename=""                                     | /d/r.pdf | -          | r.pdf
            -                                                           | /d/M%FCller.csv | -   | M%FCller.csv
            -                                                           | /d/50%.csv | -        | 50%.csv
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
