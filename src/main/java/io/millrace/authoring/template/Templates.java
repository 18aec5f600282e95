package io.millrace.authoring.template;

import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import java.util.List;

/** Requests about templates. Handled by {@link TemplateService}. */
public sealed interface Templates {
    /** Official templates are rejected. */
    record Create(Principal by, NewTemplate request) implements Templates, BusRequest<Template> {}

    /** Official templates and those of the principal's platform. */
    record ListVisible(Principal by, TemplateFilter filter) implements Templates, BusRequest<List<Template>> {}

    /** Finds any template by its id. */
    record Find(String templateId) implements Templates, BusRequest<Template> {}

    /** Changes a custom template of the principal's platform. */
    record Update(Principal by, String templateId, TemplateChanges changes)
            implements Templates, BusRequest<Template> {}

    /** Deletes a custom template of the principal's platform. */
    record Delete(Principal by, String templateId) implements Templates, BusRequest<Nothing> {}
}
