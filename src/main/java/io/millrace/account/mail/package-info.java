/**
 * Mail: what the platform writes to people waits in an outbox until the mail server has it (contract admin-api 37.7), and
 * the one SMTP client that pieces use too.
 *
 * <p>A module writes a {@link io.millrace.account.mail.Letter} to the {@link io.millrace.account.mail.MailOutbox} in the transaction of
 * what the letter tells; {@link io.millrace.account.mail.MailDeliveryWorker} hands it over, again and again until it is taken, refused or
 * too late. Knows nothing of why a letter is written. Start reading at {@link io.millrace.account.mail.MailOutbox} for the use
 * and at {@link io.millrace.account.mail.SmtpClient} for the protocol.
 */
package io.millrace.account.mail;
