import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { problems } from "../../platform/http/problems.js";
import { Room } from "../../platform/sharing/room.js";

/** 96 MB·passes: a third of a second of one core, and 32 MB meanwhile. */
const cost = { N: 2 ** 15, r: 8, p: 3 };
const key_bytes = 32;
const salt_bytes = 16;

/** Each takes a core and 32 MB for a while: more at once would stand in the way of what the service is for. */
const at_once_max = 2;
/** Ten seconds of them, on a core that has little else to do. Whoever comes then is told to try again. */
const waiting_max = 50;
const wait_ms_max = 30_000;

const room = new Room<"everybody">({ most: at_once_max, most_alone: at_once_max, waiting_max });
const refusal = () => problems.busy("Too many people are signing in. Try again.");

async function inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  await room.enter("everybody", 1, { ms: wait_ms_max, refusal });
  try {
    return await work();
  } finally {
    room.change("everybody", -1);
  }
}

const derive = (password: string, salt: Buffer, { N, r, p }: typeof cost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // Node.js allows itself 32 MB, which is what this takes, and a little more.
    const options: ScryptOptions = { N, r, p, maxmem: 2 * 128 * N * r };
    scrypt(password.normalize("NFC"), salt, key_bytes, options, (error, key) => (error ? reject(error) : resolve(key)));
  });

/** What is kept of a password: `scrypt$N$r$p$salt$key`, so that dearer ones may come beside. */
export function hashOfPassword(password: string, { N, r, p } = cost): Promise<string> {
  const salt = randomBytes(salt_bytes);
  return inTurn(async () => {
    const key = await derive(password, salt, { N, r, p });
    return ["scrypt", N, r, p, salt.toString("base64"), key.toString("base64")].join("$");
  });
}

const nobodys = `scrypt$${cost.N}$${cost.r}$${cost.p}$${Buffer.alloc(salt_bytes).toString("base64")}$${Buffer.alloc(key_bytes).toString("base64")}`;

/** Whether it is the password. Where nobody has one it takes as long to say no, so that the time of an answer tells nothing. */
export function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, N, r, p, salt = "", key = ""] = (hash ?? nobodys).split("$");
  return inTurn(async () => {
    const found = await derive(password, Buffer.from(salt, "base64"), { N: Number(N), r: Number(r), p: Number(p) });
    return timingSafeEqual(found, Buffer.from(key, "base64")) && hash !== undefined;
  });
}
