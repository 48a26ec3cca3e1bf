import { tellInTurns } from "../sharing/slices.js";
import { Companies } from "../sharing/together.js";
import { Unavailable } from "./database-errors.js";

interface SharedReading<Key> {
  /** Reads under way for one group. */
  at_once: number;
  keys_max: number;
  /** What is read together is of one group: of one project. Without it all is. */
  groupOf?: (key: Key) => string;
}

interface Question<Key, Answer> {
  key: Key;
  answer: (answer: Answer | undefined) => void;
  fail: (error: unknown) => void;
}

/**
 * Turns a read of many keys into a read of one, sharing the round trip: whoever asks while a read is
 * under way joins the next one. An answer is never older than its question, since the read that gives it
 * began after the question was put. Alone, a question waits for nothing.
 *
 * Groups know nothing of each other: neither waits for another, nor fails with it. Where a read of several fails, each is
 * asked for by itself, so that whoever sent what cannot be read hears of it alone.
 */
export function sharedRead<Key, Answer>(
  read: (keys: Key[]) => Promise<Map<Key, Answer>>,
  { at_once, keys_max, groupOf = () => "" }: SharedReading<Key>,
): (key: Key) => Promise<Answer | undefined> {
  async function answerAll(questions: readonly Question<Key, Answer>[]): Promise<void> {
    const keys = [...new Set(questions.map((question) => question.key))];
    try {
      const answers = await read(keys);
      void tellInTurns(questions, ({ key, answer }) => answer(answers.get(key)));
    } catch (error) {
      // The database away is nobody's fault.
      if (keys.length === 1 || error instanceof Unavailable) for (const { fail } of questions) fail(error);
      else for (const key of keys) await answerAll(questions.filter((question) => question.key === key));
    }
  }

  const companies = new Companies<Question<Key, Answer>>({ at_once, sizeOf: () => keys_max, go: answerAll });
  return (key) =>
    new Promise((answer, fail) => {
      companies.join(groupOf(key), { key, answer, fail });
    });
}
