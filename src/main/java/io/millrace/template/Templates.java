package io.millrace.template;

import io.millrace.access.Principal;
import io.millrace.bus.Nothing;
import io.millrace.bus.Request;
import java.util.List;

/** What one may ask of templates. Answered by {@link TemplateService}. */
public sealed interface Templates {
    /** Keeps a new template; official ones are refused. */
    record Create(Principal by, NewTemplate wish) implements Templates, Request<Template> {}

    /** Official templates and those of the principal's platform; nobody else's. */
    record ListVisible(Principal by, TemplateFilter filter) implements Templates, Request<List<Template>> {}

    /** Any template; its id is all that is needed. */
    record Find(String templateId) implements Templates, Request<Template> {}

    /** Changes a custom template of the principal's platform. */
    record Update(Principal by, String templateId, TemplateChanges changes) implements Templates, Request<Template> {}

    /** Deletes a custom template of the principal's platform. */
    record Delete(Principal by, String templateId) implements Templates, Request<Nothing> {}
}
