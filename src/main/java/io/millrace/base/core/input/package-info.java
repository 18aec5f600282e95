/**
 * Input of requests: the fields of a JSON body with all their violations, and the pages of a list.
 *
 * <p>Start reading at {@link io.millrace.base.core.input.Fields}, which checks fields, and {@link
 * io.millrace.base.core.input.PageRequest}. Independent of HTTP: modules read their bodies with it.
 */
package io.millrace.base.core.input;
