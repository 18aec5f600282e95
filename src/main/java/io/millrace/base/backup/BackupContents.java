package io.millrace.base.backup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * First entry of a backup: its origin, and the state of the database other than rows.
 *
 * @param schemaVersion the last migration that was applied
 * @param tables in an order in which none refers to a later one
 * @param sequences that have been used
 * @param disabledTriggers that a fresh schema of the version may have enabled
 */
record BackupContents(
        String release,
        String schemaVersion,
        Instant created,
        List<CopiedTable> tables,
        List<Partition> partitions,
        List<Sequence> sequences,
        List<DisabledTrigger> disabledTriggers) {
    /** Names become parts of statements; the file is untrusted input. */
    private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

    private static final Pattern BOUNDS = Pattern.compile("FOR VALUES FROM \\('[0-9 :+.-]+'\\) TO \\('[0-9 :+.-]+'\\)");

    private static final String FORMAT = "millrace-backup-1";

    record CopiedTable(String name, List<String> columns) {
        CopiedTable {
            columns = List.copyOf(columns);
            Stream.concat(Stream.of(name), columns.stream()).forEach(BackupContents::checkName);
        }
    }

    /** A partition that a server made. */
    record Partition(String parent, String name, String bounds) {
        Partition {
            checkName(parent);
            checkName(name);
            if (!BOUNDS.matcher(bounds).matches()) {
                throw new BackupException("the backup is damaged: partition " + name + " has malformed bounds");
            }
        }
    }

    /** A sequence and the last value that it gave. */
    record Sequence(String name, long last) {
        Sequence {
            checkName(name);
        }
    }

    record DisabledTrigger(String table, String name) {
        DisabledTrigger {
            checkName(table);
            checkName(name);
        }
    }

    BackupContents {
        tables = List.copyOf(tables);
        partitions = List.copyOf(partitions);
        sequences = List.copyOf(sequences);
        disabledTriggers = List.copyOf(disabledTriggers);
    }

    private static void checkName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new BackupException("the backup is damaged: a name in its manifest is malformed");
        }
    }

    CopiedTable table(String name) {
        return tables.stream()
                .filter(table -> table.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new BackupException("the backup is damaged: its manifest has no table " + name));
    }

    ObjectNode toJson() {
        var json = Json.object()
                .put("format", FORMAT)
                .put("release", release)
                .put("schemaVersion", schemaVersion)
                .put("created", created.toString());
        var listed = json.putArray("tables");
        tables.forEach(table -> table.columns()
                .forEach(listed.addObject().put("name", table.name()).putArray("columns")::add));
        var parts = json.putArray("partitions");
        partitions.forEach(part -> parts.addObject()
                .put("parent", part.parent())
                .put("name", part.name())
                .put("bounds", part.bounds()));
        var numbers = json.putArray("sequences");
        sequences.forEach(
                sequence -> numbers.addObject().put("name", sequence.name()).put("last", sequence.last()));
        var off = json.putArray("disabledTriggers");
        disabledTriggers.forEach(
                trigger -> off.addObject().put("table", trigger.table()).put("name", trigger.name()));
        return json;
    }

    static BackupContents read(JsonNode json) {
        if (!json.path("format").asText().equals(FORMAT)) {
            throw new BackupException("expected a backup of the format " + FORMAT + ", found "
                    + json.path("format").asText("none"));
        }
        try {
            return new BackupContents(
                    json.path("release").asText(),
                    json.path("schemaVersion").asText(),
                    Instant.parse(json.path("created").asText()),
                    tables(json),
                    json.path("partitions")
                            .valueStream()
                            .map(part -> new Partition(
                                    part.path("parent").asText(),
                                    part.path("name").asText(),
                                    part.path("bounds").asText()))
                            .toList(),
                    json.path("sequences")
                            .valueStream()
                            .map(one -> new Sequence(
                                    one.path("name").asText(), one.path("last").longValue()))
                            .toList(),
                    json.path("disabledTriggers")
                            .valueStream()
                            .map(one -> new DisabledTrigger(
                                    one.path("table").asText(), one.path("name").asText()))
                            .toList());
        } catch (DateTimeParseException malformed) {
            throw new BackupException("the backup is damaged: its manifest has no time", malformed);
        }
    }

    private static List<CopiedTable> tables(JsonNode json) {
        var tables = new ArrayList<CopiedTable>();
        json.path("tables")
                .forEach(table -> tables.add(new CopiedTable(
                        table.path("name").asText(),
                        table.path("columns")
                                .valueStream()
                                .map(JsonNode::asText)
                                .toList())));
        return tables;
    }
}
