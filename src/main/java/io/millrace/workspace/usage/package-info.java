/**
 * Usage of AI models by projects: counted per response, shown in a report, and limited by a project's budget where an
 * administrator sets one.
 *
 * <p>Start reading at {@link io.millrace.workspace.usage.MeteredModels}, through which all callers use models. Independent of
 * providers. {@code ModelPrices} has the prices, {@code SpendingLimit} the limits of projects, flows and agents.
 */
package io.millrace.workspace.usage;
