/**
 * The formula language (contract flows-and-engine 32): one more kind of text inside a template, with its parser and one
 * class per family of functions. Start reading at {@code Formula}.
 */
package io.millrace.sandbox.expression.formula;
