/** What is sent to one person. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Whoever carries mail: a server by SMTP, or the process's log. */
export interface MailSender {
  /** Throws when it was not taken. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

export const mails_bell = "mails";
/** One try, and how long it is another's business if the process dies with it. */
export const lease_ms = 60_000;
/** Sent one after the other in one step. */
export const mails_of_step = 10;

/** Pauses after tries that failed. What is not taken within a day says a link that is over. */
const pauses_minutes = [1, 5, 15, 60, 120, 240, 480, 480];

/** When to try again after so many; null: no more. */
export const nextTry = (tries: number, instant: number): number | null => {
  const minutes = pauses_minutes[tries - 1];
  return minutes === undefined ? null : instant + minutes * 60_000;
};
