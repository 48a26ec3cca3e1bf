import type { Context } from "../../platform/context.js";
import type { Work } from "../../platform/jobs/loop.js";
import { moveFromOlderOutbox, someInOlderOutbox } from "./older-outbox.store.js";

const rows_max = 500;

/**
 * While processes of an older version run beside ours they leave events in the table that was the outbox, one a row. They are moved to
 * ours; where none is left of that version, this and the table can go.
 */
export const olderOutboxWork = ({ db, bell }: Pick<Context, "db" | "bell">): Work => ({
  name: "older outbox",
  due: someInOlderOutbox,
  async step() {
    const moved = await moveFromOlderOutbox(db, rows_max);
    if (moved > 0) bell.ring("outbox");
    return moved === rows_max ? "more" : moved > 0 ? "some" : "nothing";
  },
});
