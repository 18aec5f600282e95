/** Tests of the persistence module: against real servers, some of which are killed on purpose. */
package io.millrace.base.persistence;
