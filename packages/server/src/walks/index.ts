export type { Begun, Going, OnWalk, Slice, Walk, WalkKind } from "./kind.js";
export { walking, walkOn } from "./walk.js";
export { findWalks, type NewWalk, startWalks, type UnderWay } from "./walk.store.js";
