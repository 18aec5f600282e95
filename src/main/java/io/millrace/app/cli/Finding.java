package io.millrace.app.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.Locale;

/**
 * Result of one check.
 *
 * @param subject examined object
 * @param found in one line
 * @param advice recommended action; empty if there is no problem
 */
record Finding(String subject, Level level, String found, String advice) {
    enum Level {
        OK,
        WARNING,
        PROBLEM
    }

    static Finding ok(String subject, String found) {
        return new Finding(subject, Level.OK, found, "");
    }

    static Finding warning(String subject, String found, String advice) {
        return new Finding(subject, Level.WARNING, found, advice);
    }

    static Finding problem(String subject, String found, String advice) {
        return new Finding(subject, Level.PROBLEM, found, advice);
    }

    String line() {
        var text = "%-8s %-12s %s".formatted(word(), subject, found);
        return advice.isEmpty() ? text : text + "\n" + " ".repeat(22) + "-> " + advice;
    }

    ObjectNode toJson() {
        return Json.object()
                .put("subject", subject)
                .put("level", word())
                .put("found", found)
                .put("advice", advice);
    }

    private String word() {
        return level.name().toLowerCase(Locale.ROOT);
    }
}
