/**
 * Variables: texts of a project that flows use by name (contract admin-api 25). Lists of variables omit the values.
 *
 * <p>A value is sealed on arrival. Only runs of the same project receive it, and users who explicitly request it. Knows its
 * project by id; start reading at {@link io.millrace.workspace.variable.Variables}.
 */
package io.millrace.workspace.variable;
