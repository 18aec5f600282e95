/**
 * Templates: flows that people may copy (seed endpoints 3 to 5, contract admin-api 6). Official ones are part of the
 * product, custom ones belong to a platform, shared ones are found by their id only. Start at {@link
 * io.millrace.authoring.template.Templates}. Knows flows only as {@link io.millrace.authoring.flow.TemplateFlow} reads them.
 */
package io.millrace.authoring.template;
