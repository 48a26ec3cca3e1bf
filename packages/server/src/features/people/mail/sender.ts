import { createTransport } from "nodemailer";
import type { Context } from "../../../platform/context.js";
import type { MailSender } from "./mail.js";

/** A server that does not answer must not hold the queue. */
const patience_ms = 20_000;

/** By SMTP where `GUERDON_SMTP_URL` names a server; else whoever runs the service finds mail in its log, and passes it on. */
export function createMailSender({ config: { smtp }, log }: Pick<Context, "config" | "log">): MailSender {
  if (!smtp) {
    return {
      send: async ({ to, subject, text }) =>
        log.info({ to, subject, text }, "no GUERDON_SMTP_URL is set: a mail that would have been sent"),
      close: () => undefined,
    };
  }
  const timeouts = { connectionTimeout: patience_ms, greetingTimeout: patience_ms, socketTimeout: patience_ms };
  const transport = createTransport({ url: smtp.url, ...timeouts });
  return {
    // One recipient by an address that was checked, and plain text: nothing of what people typed becomes a header or markup.
    send: async ({ to, subject, text }) => {
      await transport.sendMail({
        from: smtp.from,
        to: { name: "", address: to },
        subject,
        text,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    },
    close: () => transport.close(),
  };
}
