package io.millrace.integration.release;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.FlowState;
import io.millrace.authoring.folder.FolderState;
import io.millrace.authoring.table.TableState;
import io.millrace.base.core.input.Fields;
import io.millrace.workspace.connection.ConnectionState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A whole project in one document (contract admin-api 11, project replace).
 *
 * @param sourceVersion release of the source server
 * @param folderKeys folder of each flow by external id; a flow without a folder has no entry
 */
public record ProjectDocument(
        String sourceVersion,
        ProjectState state,
        List<FolderState> folders,
        Map<String, String> folderKeys,
        List<RequiredPiece> pieces) {
    private static final int SCHEMA_VERSION = 1;
    private static final int PIECES_MAX = 500;
    /** Maximum number of items of one kind. */
    static final int ITEMS_MAX = 1_000;

    public record RequiredPiece(String name, String version, String pieceType) {
        static RequiredPiece read(Fields given) {
            return new RequiredPiece(
                    given.text("name", 1, 255), given.text("version", 1, 64), given.text("pieceType", 1, 64));
        }
    }

    /** Problems are recorded in the body, except those of a flow, which are refused at once. */
    static ProjectDocument read(Fields body) {
        if (body.optionalInteger("schemaVersion", SCHEMA_VERSION, SCHEMA_VERSION)
                        .isEmpty()
                && body.isAbsent("schemaVersion")) {
            body.refuse("schemaVersion", "Invalid input: expected number, received undefined");
        }
        var sourceVersion = body.text("sourceActivepiecesVersion", 1, 64);
        var tables = items(body, "tables", Integer.MAX_VALUE, TableState::read);
        var folders = items(body, "folders", ITEMS_MAX, FolderState::read);
        var connections = items(body, "connections", Integer.MAX_VALUE, ConnectionState::read);
        var pieces = items(body, "requiredPieces", PIECES_MAX, RequiredPiece::read);
        var keys = new HashMap<String, String>();
        var flows = new ArrayList<FlowState>();
        if (body.isSound()) {
            for (var given : body.array("flows")) {
                var folderId = body.element("flows", flows.size(), given).optionalText("folderId");
                body.done();
                var flow = FlowState.read((ObjectNode) given, "body/flows/" + flows.size());
                flows.add(flow);
                folderId.ifPresent(id -> keys.put(flow.externalId(), id));
            }
        }
        return new ProjectDocument(sourceVersion, new ProjectState(flows, connections, tables), folders, keys, pieces);
    }

    static <T> List<T> items(Fields body, String name, int most, Function<Fields, T> read) {
        var items = new ArrayList<T>();
        var given = body.array(name);
        if (given.size() > most) {
            body.refuse(name, "Too big: expected array to have <=" + most + " items");
            return items;
        }
        for (var index = 0; index < given.size(); index++) {
            var fields = body.element(name, index, given.get(index));
            if (given.get(index).isObject()) {
                items.add(read.apply(fields));
            }
        }
        return items;
    }
}
