/**
 * Turns a read of many keys into a read of one, sharing the round trip: whoever asks while a read is
 * under way joins the next one. An answer is never older than its question, since the read that gives it
 * began after the question was put. Alone, a question waits for nothing.
 */
export function sharedRead<Key, Answer>(
  read: (keys: Key[]) => Promise<Map<Key, Answer>>,
  { at_once, keys_max }: { at_once: number; keys_max: number },
): (key: Key) => Promise<Answer | undefined> {
  type Question = { key: Key; answer: (answer: Answer | undefined) => void; fail: (error: unknown) => void };
  let waiting: Question[] = [];
  let running = 0;

  async function run(): Promise<void> {
    running += 1;
    while (waiting.length > 0) {
      const questions = waiting.slice(0, keys_max);
      waiting = waiting.slice(keys_max);
      try {
        const answers = await read([...new Set(questions.map((question) => question.key))]);
        for (const question of questions) question.answer(answers.get(question.key));
      } catch (error) {
        for (const question of questions) question.fail(error);
      }
    }
    running -= 1;
  }

  return (key) =>
    new Promise((answer, fail) => {
      waiting.push({ key, answer, fail });
      // A microtask later, so that questions put in the same turn share the first read too.
      if (running < at_once) queueMicrotask(() => void (running < at_once && waiting.length > 0 && run()));
    });
}
