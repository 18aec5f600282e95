/**
 * Texts of statements and their parameters: conversion of values, where clauses, and statements over arrays of columns.
 *
 * <p>Executes nothing. Start reading at {@link io.millrace.base.persistence.statement.Values}.
 */
package io.millrace.base.persistence.statement;
