package io.millrace.piece.builtin.table;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceTrigger;
import io.millrace.piece.ProjectTables;
import io.millrace.piece.ProjectTables.TableRef;
import io.millrace.piece.builtin.action.BuiltinPiece;
import io.millrace.piece.builtin.action.ComposedPiece;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.catalogue.PieceCategory;
import io.millrace.piece.property.OptionsQuestion;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyDefinitions;
import io.millrace.piece.property.PropertyType;
import io.vertx.core.Future;
import java.util.List;
import java.util.stream.Stream;

/** Tables of the project: reads and writes records, and begins flows with them (contract pieces 14.2). */
public final class TablesPiece implements ComposedPiece {
    static final String TABLE = "table_id";

    static final Props.NamedProperty TABLE_PROPERTY = Props.named(
            TABLE,
            Property.of(PropertyType.DROPDOWN, "Table", true)
                    .describedAs("A table of this project, or its external ID."));

    private final ProjectTables tables;
    private final Piece parts;

    public TablesPiece(ProjectTables tables) {
        this.tables = tables;
        this.parts = BuiltinPiece.of(
                BuiltinPiece.spec(
                        "tables",
                        "Tables",
                        "Keeps records in tables of the project.",
                        "tables_piece.svg",
                        List.of(PieceCategory.CORE),
                        List.of("0.3.0", "0.2.0", "0.1.0")),
                new TableActions(tables).all(),
                Stream.of(RecordTrigger.Event.values())
                        .<PieceTrigger>map(event -> new RecordTrigger(event, tables))
                        .toList());
    }

    @Override
    public Piece parts() {
        return parts;
    }

    @Override
    public Future<ObjectNode> options(OptionsQuestion question) {
        if (question.property().equals(TABLE)) {
            return tables.all(question.projectId()).map(question::dropDown);
        }
        var table = question.input().path(TABLE).asText("");
        var form = TableForm.of(question.step(), question.property());
        return form.isEmpty() || table.isEmpty()
                ? ComposedPiece.super.options(question)
                : tables.columns(new TableRef(question.projectId(), table)).map(columns -> {
                    var answer = Json.object();
                    answer.set("options", PropertyDefinitions.write(form.get().children(columns)));
                    return answer.put("type", PropertyType.DYNAMIC.name());
                });
    }
}
