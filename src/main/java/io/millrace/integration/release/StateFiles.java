package io.millrace.integration.release;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.FlowState;
import io.millrace.authoring.table.TableState;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.input.Fields;
import io.millrace.base.secret.Hashes;
import io.millrace.integration.git.FileChange;
import io.millrace.integration.git.RepositoryFile;
import io.millrace.workspace.connection.ConnectionState;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * File layout of a project in its folder of a repository (contract admin-api 10.2): {@code flows/<label>.<external id>.json},
 * and the same in {@code connections} and {@code tables}. The label is the name of the item when its file was created; files of
 * earlier releases have none. The content of a file is authoritative, not its name.
 */
public final class StateFiles {
    public static final String FLOWS = "flows";
    public static final String CONNECTIONS = "connections";
    public static final String TABLES = "tables";

    private static final String EXTENSION = ".json";
    private static final int NAME_LENGTH_MAX = 200;

    private StateFiles() {}

    /** Connections that no flow uses are left out. */
    static ProjectState read(List<RepositoryFile> files) {
        var flows = new ArrayList<FlowState>();
        var connections = new ArrayList<ConnectionState>();
        var tables = new ArrayList<TableState>();
        var used = new HashSet<String>();
        for (var file : files) {
            if (!file.name().endsWith(EXTENSION)) {
                continue;
            }
            var place = file.folder() + "/" + file.name();
            switch (file.folder()) {
                case FLOWS -> {
                    var flow = FlowState.read(object(file, place), place);
                    flows.add(flow);
                    used.addAll(flow.connectionIds());
                }
                case CONNECTIONS -> {
                    var fields = Fields.of(place, object(file, place));
                    connections.add(ConnectionState.read(fields));
                    fields.done();
                }
                case TABLES -> {
                    var fields = Fields.of(place, object(file, place));
                    tables.add(TableState.read(fields));
                    fields.done();
                }
                default -> {
                    // Other folders belong to the users and are ignored.
                }
            }
        }
        connections.removeIf(connection -> !used.contains(connection.externalId()));
        return new ProjectState(flows, connections, tables);
    }

    private static ObjectNode object(RepositoryFile file, String place) {
        try {
            if (DeepJson.parse(file.content().getBytes()) instanceof ObjectNode object) {
                return object;
            }
        } catch (JsonProcessingException malformed) {
            throw ApiException.of(ErrorCode.INVALID_INPUT, place + " is not JSON");
        }
        throw ApiException.of(ErrorCode.INVALID_INPUT, place + " Invalid input: expected object");
    }

    public static List<FileChange> written(List<FlowState> flows, List<ConnectionState> connections) {
        var changes = new ArrayList<FileChange>();
        var used = new HashSet<String>();
        for (var flow : flows) {
            used.addAll(flow.connectionIds());
            changes.add(new FileChange.Put(
                    FLOWS, FileNameLabel.of(flow.displayName()), fileName(flow.externalId()), text(flow.toJson())));
        }
        for (var connection : connections) {
            if (used.contains(connection.externalId())) {
                changes.add(new FileChange.Put(
                        CONNECTIONS,
                        FileNameLabel.of(connection.displayName()),
                        fileName(connection.externalId()),
                        text(connection.toJson())));
            }
        }
        return changes;
    }

    public static List<FileChange> written(List<TableState> tables) {
        return tables.stream()
                .map(table -> (FileChange) new FileChange.Put(
                        TABLES, FileNameLabel.of(table.name()), fileName(table.externalId()), text(table.toJson())))
                .toList();
    }

    public static List<FileChange> removed(String folder, List<String> externalIds) {
        return externalIds.stream()
                .map(externalId -> (FileChange) new FileChange.Remove(folder, fileName(externalId)))
                .toList();
    }

    /** Formats JSON in lines, so that a change of one step changes few lines. */
    private static Buffer text(ObjectNode json) {
        return Buffer.buffer(DeepJson.lines(json));
    }

    public static String fileName(String displayName, String externalId) {
        var label = FileNameLabel.of(displayName);
        return label.isEmpty() ? fileName(externalId) : label + "." + fileName(externalId);
    }

    /** An external id is any text; its file gets a name that is valid on every file system and cannot leave the folder. */
    public static String fileName(String externalId) {
        var name = new ByteArrayOutputStream();
        for (var each : externalId.getBytes(StandardCharsets.UTF_8)) {
            if (each >= '0' && each <= '9'
                    || each >= 'A' && each <= 'Z'
                    || each >= 'a' && each <= 'z'
                    || each == '_'
                    || each == '-') {
                name.write(each);
            } else {
                name.writeBytes("%%%02X".formatted(each & 0xff).getBytes(StandardCharsets.US_ASCII));
            }
        }
        var text = name.toString(StandardCharsets.US_ASCII);
        return (text.length() <= NAME_LENGTH_MAX ? text : Hashes.sha256Hex(text)) + EXTENSION;
    }
}
