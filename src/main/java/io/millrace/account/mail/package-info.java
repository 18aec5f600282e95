/**
 * Mail: an outbox of the platform's mails (contract admin-api 37.7), and the SMTP client that pieces use too.
 *
 * <p>A module adds a {@link io.millrace.account.mail.Letter} to the {@link io.millrace.account.mail.MailOutbox} in the
 * transaction of its cause; {@link io.millrace.account.mail.MailDeliveryWorker} retries the delivery until the mail is
 * accepted, refused or expired. Independent of the reasons for mails. Start reading at
 * {@link io.millrace.account.mail.MailOutbox} for the use and at {@link io.millrace.account.mail.SmtpClient} for the
 * protocol.
 */
package io.millrace.account.mail;
