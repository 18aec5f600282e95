package io.millrace.workspace.variable;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.bus.Notice;
import io.millrace.base.core.input.FieldChange;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Requests about variables, and notices of their changes. Answered by {@link VariableService}. */
public sealed interface Variables {
    /** Creates a variable, or overwrites the one of that name. Existing metadata is kept when the request has none. */
    record Save(Principal by, String projectId, String name, String value, FieldChange<ObjectNode> metadata)
            implements Variables, BusRequest<Variable> {
        @Override
        public String toString() {
            return "Save[" + projectId + ", " + name + "]";
        }
    }

    /** The variables of a project, newest first. */
    record ListOf(String projectId, Optional<String> namePart, PageRequest page)
            implements Variables, BusRequest<Page<Variable>> {}

    /** Changes a variable; the name is immutable. */
    record Update(Principal by, String id, Optional<String> value, FieldChange<ObjectNode> metadata)
            implements Variables, BusRequest<Variable> {
        @Override
        public String toString() {
            return "Update[" + id + "]";
        }
    }

    /** The value itself, for a user who explicitly requests it. */
    record Reveal(Principal by, String id) implements Variables, BusRequest<String> {}

    record Delete(Principal by, String id) implements Variables, BusRequest<Nothing> {}

    /** Project of a variable; fails with ENTITY_NOT_FOUND. */
    record ProjectOf(String id) implements Variables, BusRequest<String> {}

    /** Values of a project's variables for a run of the project; unknown names are omitted. */
    record FindValues(String projectId, Set<String> names) implements Variables, BusRequest<Map<String, String>> {}

    record FindNames(String projectId, Set<String> names) implements Variables, BusRequest<Set<String>> {}

    record Upserted(Variable variable) implements Variables, Notice {}

    record Revealed(Variable variable, String userId) implements Variables, Notice {}

    record Deleted(Variable variable) implements Variables, Notice {}
}
