/**
 * What projects use of the models of AI providers: counted for each answer, told in a report, and bounded by a budget of the
 * project where an administrator sets one.
 *
 * <p>Start reading at {@link io.millrace.workspace.usage.MeteredModels}, through which everybody asks models. Knows no
 * provider; what a model costs in money is its provider's to say.
 */
package io.millrace.workspace.usage;
