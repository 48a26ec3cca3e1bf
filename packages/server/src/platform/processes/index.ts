export { Keeper, NoneBegan } from "./keeper.js";
export { type Answering, type Line, NoAnswer } from "./line.js";
export { lineToKeeper } from "./member.js";
