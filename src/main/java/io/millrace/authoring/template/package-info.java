/**
 * Templates: flows for copying (seed endpoints 3 to 5, contract admin-api 6). Official ones are part of the product,
 * custom ones belong to a platform, shared ones are found by id only. Start at
 * {@link io.millrace.authoring.template.Templates}. {@link io.millrace.authoring.flow.TemplateFlow} is the only
 * dependency on flows.
 */
package io.millrace.authoring.template;
