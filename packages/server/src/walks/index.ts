export type { Going, OnWalk, Slice, Walk, WalkKind } from "./kind.js";
export { beginNow } from "./kind.js";
export { walking, walkingAtOnce, walkOn } from "./walk.js";
export { findWalks, startWalks, type UnderWay } from "./walk.store.js";
