import type { SegmentUse } from "../../segments/index.js";
import { findAutomationIdsOfSegment } from "./automation.store.js";

/** A segment that an automation waits for stays; without it the automation would never act, and nobody would know. */
export const segment_use: SegmentUse = { type: "distribution", idsOf: findAutomationIdsOfSegment };
