package io.millrace.base.backup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Last entry of a backup: checksums of its parts. A file without it is incomplete.
 *
 * @param tables sums by the name of a table
 * @param files SHA-256 by the name of a file
 */
record BackupSums(SortedMap<String, TableSum> tables, SortedMap<String, String> files) {
    static BackupSums none() {
        return new BackupSums(new TreeMap<>(), new TreeMap<>());
    }

    ObjectNode toJson() {
        var json = Json.object();
        var ofTables = json.putObject("tables");
        tables.forEach(
                (name, sum) -> ofTables.putObject(name).put("rows", sum.rows()).put("digest", sum.digest()));
        var ofFiles = json.putObject("files");
        files.forEach(ofFiles::put);
        return json;
    }

    static BackupSums read(JsonNode json) {
        var sums = none();
        json.path("tables")
                .properties()
                .forEach(entry -> sums.tables.put(
                        entry.getKey(),
                        new TableSum(
                                entry.getValue().path("rows").longValue(),
                                entry.getValue().path("digest").asText())));
        json.path("files")
                .properties()
                .forEach(
                        entry -> sums.files.put(entry.getKey(), entry.getValue().asText()));
        return sums;
    }

    long rows() {
        return tables.values().stream().mapToLong(TableSum::rows).sum();
    }
}
