import type { Context } from "../../../platform/context.js";
import { type Call, mayRead } from "../../projects/index.js";
import { codeKey } from "../../vouchers/index.js";
import { found_objects } from "./search.schemas.js";
import { findAnything } from "./search.store.js";

/** Whatever is called so, of what the caller may read. */
export async function search({ db }: Context, call: Call, q: string) {
  const text = q.trim();
  if (text === "") return { data: [] };
  // Codes are read out and typed without regard to letters' case, and most are of one case alone.
  const written = [text, text.toUpperCase(), text.toLowerCase()];
  const code_keys = [...new Set(written.map((one) => codeKey(call.project, one)))];
  const asked = { project_id: call.project_id, text, code_keys };
  const found = await findAnything(db, asked);
  return { data: found.filter(({ object }) => mayRead(call, `/dashboard/v1/${found_objects[object]}`)) };
}
