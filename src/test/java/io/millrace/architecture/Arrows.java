package io.millrace.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The one ordered list of packages, top to bottom (style, section 5): a package imports only from below itself. Packages
 * of one line stand side by side and know nothing of each other.
 */
final class Arrows {
    private static final List<List<String>> LEVELS = levels("""
            page, console
            alert
            badge
            event
            release
            git
            mcp
            webhook
            live
            analytics
            run
            run.machine
            trigger
            template
            table
            flow
            grant
            scim
            embedding
            invitation
            project
            variable
            connection
            oauth
            piece.builtin, piece.npm
            piece
            store
            file
            signon, issuer
            aiprovider, secretmanager
            identity
            mail
            platform
            audit
            sealing
            http, persistence, net
            code, node
            code.worker
            secret
            access
            bus
            config
            expression
            core
            """);

    private Arrows() {}

    /** Whether the list has a place for the class. */
    static boolean isPlaced(JavaClass type) {
        return isRoot(type) || levelOf(MainClasses.roomOf(type)) >= 0;
    }

    /** Why one class must not know another; empty when it may. */
    static Optional<String> objection(JavaClass from, JavaClass to) {
        if (isRoot(from) || from.getPackageName().equals(to.getPackageName())) {
            return Optional.empty();
        }
        var upper = MainClasses.roomOf(from);
        var lower = MainClasses.roomOf(to);
        return !isRoot(to) && levelOf(upper) < levelOf(lower)
                ? Optional.empty()
                : Optional.of(upper + " stands below or beside " + (lower.isEmpty() ? "the root" : lower));
    }

    /** The root package stands above all others: it builds the rooms. */
    private static boolean isRoot(JavaClass type) {
        return MainClasses.roomOf(type).isEmpty();
    }

    private static int levelOf(String room) {
        for (var level = 0; level < LEVELS.size(); level++) {
            if (LEVELS.get(level).contains(room)) {
                return level;
            }
        }
        return -1;
    }

    private static List<List<String>> levels(String lines) {
        return lines.lines()
                .map(line -> Arrays.asList(line.strip().split(", ", -1)))
                .toList();
    }
}
