/** Tests of the persistence room: against real servers, some of which are killed on purpose. */
package io.millrace.persistence;
