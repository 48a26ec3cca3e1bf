/** One end of what carries messages between two processes. */
export interface Wire {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  onEnd(listener: () => void): void;
}

/** Who answers what, by the name of the question. */
export type Answering = Readonly<Record<string, (given: never) => unknown>>;

/** Questions and answers between two processes, both ways. */
export interface Line {
  /** Rejects when the other end has gone, does not know the answer, or takes longer than that. */
  ask<Answer>(name: string, given?: unknown, ms_max?: number): Promise<Answer>;
}

type Message =
  | { kind: "question"; number: number; name: string; given: unknown }
  | { kind: "answer"; number: number; answer: unknown }
  | { kind: "failure"; number: number; reason: string };

interface Waiting {
  answered(answer: unknown): void;
  failed(error: Error): void;
}

/** The other process does not answer. */
export class NoAnswer extends Error {}

export function openLine(wire: Wire, answering: Answering): Line {
  const waiting = new Map<number, Waiting>();
  let asked = 0;
  let has_ended = false;

  async function answer({ number, name, given }: { number: number; name: string; given: unknown }): Promise<void> {
    try {
      const answering_one = answering[name];
      if (!answering_one) throw new Error(`nobody here answers '${name}'`);
      wire.send({ kind: "answer", number, answer: await answering_one(given as never) });
    } catch (error) {
      wire.send({ kind: "failure", number, reason: (error as Error).message });
    }
  }

  wire.onMessage((received) => {
    const message = received as Message;
    if (message.kind === "question") return void answer(message);
    const one = waiting.get(message.number);
    if (message.kind === "answer") one?.answered(message.answer);
    if (message.kind === "failure") one?.failed(new NoAnswer(message.reason));
  });
  wire.onEnd(() => {
    has_ended = true;
    for (const { failed } of waiting.values()) failed(new NoAnswer("the other process has ended"));
  });

  return {
    ask: <Answer>(name: string, given?: unknown, ms_max?: number) =>
      new Promise<Answer>((resolve, reject) => {
        if (has_ended) throw new NoAnswer("the other process has ended");
        asked += 1;
        const number = asked;
        const late = () => one.failed(new NoAnswer(`the other process did not answer '${name}' within ${ms_max} ms`));
        const timer = ms_max === undefined ? undefined : setTimeout(late, ms_max);
        const end = () => {
          clearTimeout(timer);
          waiting.delete(number);
        };
        const one: Waiting = {
          answered(value) {
            end();
            resolve(value as Answer);
          },
          failed(error) {
            end();
            reject(error);
          },
        };
        waiting.set(number, one);
        wire.send({ kind: "question", number, name, given });
      }),
  };
}
