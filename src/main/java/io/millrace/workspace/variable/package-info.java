/**
 * Variables: texts of a project that flows use by name, and that nobody is shown by the way (contract admin-api 25).
 *
 * <p>A value is sealed from the moment it arrives. It leaves in two ways only: to a run of the same project, and to a user
 * who asks for it expressly. Knows its project by id; start reading at {@link io.millrace.workspace.variable.Variables}.
 */
package io.millrace.workspace.variable;
