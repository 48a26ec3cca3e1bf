import type { MakeWork } from "../../../../platform/jobs/loop.js";
import { walkingAtOnce } from "../../../../walks/index.js";
import { looking, lookingAnew } from "./tier-walk.js";

export const works: readonly MakeWork[] = [walkingAtOnce(looking), walkingAtOnce(lookingAnew)];
