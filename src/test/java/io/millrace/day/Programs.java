package io.millrace.day;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/** Programs of the host that a day uses if they are installed. */
final class Programs {
    private Programs() {}

    /** Path of a program on the search path. */
    static Optional<Path> find(String name) {
        var path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(path)
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
